"""What is asked for the next tokens: a model in this process, or an endpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Completion:
    """What one call sampled. `logprobs`: one per token, of the distribution sampled from.

    `finished` says that the last token ends the turn; otherwise the token limit cut it.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    finished: bool

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.logprobs):
            raise ValueError(f"{len(self.ids)} tokens with {len(self.logprobs)} logprobs")


class Policy(Protocol):
    """Samples from token ids. Many calls may wait at a time; how they are batched is its own."""

    async def sample(self, prompt: Sequence[int], *, max_tokens: int) -> Completion:
        """Raises `InfrastructureError` when no answer comes."""
        ...
