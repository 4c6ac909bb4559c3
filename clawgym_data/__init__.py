"""clawgym_data makes tasks. Today it converts task sets; synthesis stands on the same format."""

from clawgym_data.convert import convert

__all__ = ["convert"]
