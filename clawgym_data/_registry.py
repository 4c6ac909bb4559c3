"""What Inspect finds through the entry point: the task `clawgym_data/syn`."""

from clawgym_data.syn import syn

__all__ = ["syn"]
