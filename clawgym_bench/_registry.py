"""What Inspect finds through the entry point: tasks, solvers, the scorer, sandbox providers.

An installed task is called `clawgym_bench/clawgym_bench`; `inspect eval clawgym_bench` looks for
the bare name first, so the benchmark is registered under that too. Of a package that is installed
to be edited Inspect does not know the name, so the other task is registered with it in full.
"""

from inspect_ai._util.registry import RegistryInfo, registry_add, registry_info

from clawgym_bench.agents.claw import claw
from clawgym_bench.agents.scripted import scripted
from clawgym_bench.evaluation import clawgym_bench, imported, place_workspace
from clawgym_bench.sandbox import inspect_provider
from clawgym_bench.scorer import hybrid

__all__ = [
    "claw",
    "clawgym_bench",
    "hybrid",
    "imported",
    "inspect_provider",
    "place_workspace",
    "scripted",
]

for found, name in ((clawgym_bench, "clawgym_bench"), (imported, "clawgym_bench/imported")):
    registry_add(
        found, RegistryInfo(type="task", name=name, metadata=registry_info(found).metadata)
    )
