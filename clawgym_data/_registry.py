"""What Inspect finds through the entry point: the task `clawgym_data/syn`.

Of a package that is installed to be edited Inspect does not know the name, so the task is
registered with it in full.
"""

from inspect_ai._util.registry import RegistryInfo, registry_add, registry_info

from clawgym_data.syn import syn

__all__ = ["syn"]

registry_add(
    syn,
    RegistryInfo(type="task", name="clawgym_data/syn", metadata=registry_info(syn).metadata),
)
