"""The composer: valid tasks from typed blocks, without a model."""

from clawgym_data.compose.composer import compose

__all__ = ["compose"]
