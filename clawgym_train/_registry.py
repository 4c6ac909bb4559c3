"""What Inspect finds of this package by its entry point. Nothing heavy is imported here."""

from inspect_ai.model import ModelAPI, modelapi

__all__ = ["clawgym"]


@modelapi(name="clawgym")
def clawgym() -> type[ModelAPI]:
    from clawgym_train.serve.provider import CheckpointAPI

    return CheckpointAPI
