"""The one error that a model sees."""

from clawgym_bench.errors import ClawGymError


class ToolMisuse(ClawGymError):
    """A call that cannot be done as asked; the message tells the model what to do instead.

    Everything else that a tool raises (`SandboxLost`, `InfrastructureError`) is not the model's
    fault, is never shown to it and must end the sample.
    """
