"""A policy in this process: requests that wait together are decoded together (transformers)."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import torch
from transformers import PreTrainedModel

from clawgym_bench.errors import InfrastructureError
from clawgym_train.rollout.policy import Completion

WINDOW_SECONDS = 0.01
"""How long the first request of a batch waits for others."""


@dataclass
class Request:
    prompt: list[int]
    max_tokens: int
    answer: asyncio.Future[Completion]


class TransformersPolicy:
    """`temperature` 0 takes the most probable token. `seed` makes a serial run repeatable; when
    many episodes run at a time, their order, and so the draw, is the machine's.

    Call `close` in the loop that used it.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        stops: frozenset[int],
        pad: int,
        *,
        temperature: float = 1.0,
        batch: int = 64,
        seed: int | None = None,
    ) -> None:
        self._model, self._stops, self._pad = model, stops, pad
        self._temperature, self._batch = temperature, batch
        self._generator = torch.Generator(device=model.device)
        if seed is not None:
            self._generator.manual_seed(seed)
        self._waiting: list[Request] = []
        self._worker: asyncio.Task[None] | None = None

    async def sample(self, prompt: Sequence[int], *, max_tokens: int) -> Completion:
        answer: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._waiting.append(Request(list(prompt), max_tokens, answer))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await answer

    async def close(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker

    async def _work(self) -> None:
        while self._waiting:
            if len(self._waiting) < self._batch:
                await asyncio.sleep(WINDOW_SECONDS)
            # Prompts of like length together: less padding.
            self._waiting.sort(key=lambda request: len(request.prompt))
            taken, self._waiting = self._waiting[: self._batch], self._waiting[self._batch :]
            taken = [request for request in taken if not request.answer.done()]
            if not taken:
                continue
            try:
                completions = await asyncio.to_thread(self._decode, taken)
            except (RuntimeError, ValueError, IndexError) as error:
                for request in taken:
                    if not request.answer.done():
                        failure = InfrastructureError(f"the model failed: {error}")
                        request.answer.set_exception(failure)
                continue
            for request, completion in zip(taken, completions, strict=True):
                if not request.answer.done():
                    request.answer.set_result(completion)

    def _decode(self, requests: Sequence[Request]) -> list[Completion]:
        """Left-padded, one token at a time; rows that have ended leave the batch when half have."""
        training = self._model.training
        self._model.eval()
        try:
            with torch.inference_mode():
                return Decoder(
                    self._model,
                    requests,
                    self._stops,
                    self._pad,
                    self._temperature,
                    self._generator,
                ).run()
        finally:
            self._model.train(training)


class Decoder:
    """One batch. `rows` are the requests that still speak, in the order of the cache's rows."""

    def __init__(
        self,
        model: PreTrainedModel,
        requests: Sequence[Request],
        stops: frozenset[int],
        pad: int,
        temperature: float,
        generator: torch.Generator,
    ) -> None:
        self._model, self._requests, self._stops = model, requests, stops
        self._temperature, self._generator = temperature, generator
        longest = max(len(request.prompt) for request in requests)
        padded = [[pad] * (longest - len(request.prompt)) + request.prompt for request in requests]
        device = model.device
        self._ids = torch.tensor(padded, device=device)
        lengths = torch.tensor([len(request.prompt) for request in requests], device=device)
        places = torch.arange(longest, device=device).unsqueeze(0)
        self._mask = (places >= longest - lengths.unsqueeze(1)).long()
        self._tokens: list[list[int]] = [[] for _ in requests]
        self._logprobs: list[list[float]] = [[] for _ in requests]
        self._rows = list(range(len(requests)))

    def run(self) -> list[Completion]:
        positions = (self._mask.cumsum(1) - 1).clamp(min=0)
        ids, cache = self._ids, None
        while self._rows:
            output = self._model(
                input_ids=ids,
                attention_mask=self._mask,
                position_ids=positions,
                past_key_values=cache,
                use_cache=True,
                logits_to_keep=1,
            )
            cache = output.past_key_values
            tokens = self._take(output.logits[:, -1, :].float())
            going = [place for place, row in enumerate(self._rows) if not self._over(row)]
            if not going:
                break
            if len(going) <= len(self._rows) // 2:
                kept = torch.tensor(going, device=tokens.device)
                cache.batch_select_indices(kept)
                tokens, positions = tokens[kept], positions[kept]
                self._mask = self._mask[kept]
                self._rows = [self._rows[place] for place in going]
            ids = tokens.unsqueeze(1)
            positions = positions[:, -1:] + 1
            self._mask = torch.cat([self._mask, self._mask.new_ones(len(self._rows), 1)], 1)
        return [
            Completion(tuple(tokens), tuple(logprobs), bool(tokens) and tokens[-1] in self._stops)
            for tokens, logprobs in zip(self._tokens, self._logprobs, strict=True)
        ]

    def _take(self, logits: torch.Tensor) -> torch.Tensor:
        scaled = logits / self._temperature if self._temperature > 0 else logits
        logprobs = scaled.log_softmax(-1)
        if self._temperature > 0:
            drawn = torch.multinomial(logprobs.exp(), 1, generator=self._generator)
        else:
            drawn = logprobs.argmax(-1, keepdim=True)
        chosen = logprobs.gather(1, drawn).squeeze(1).tolist()
        tokens = drawn.squeeze(1)
        for row, token, logprob in zip(self._rows, tokens.tolist(), chosen, strict=True):
            if not self._over(row):
                self._tokens[row].append(token)
                self._logprobs[row].append(logprob)
        return tokens

    def _over(self, row: int) -> bool:
        spoken = self._tokens[row]
        return bool(spoken) and (
            spoken[-1] in self._stops or len(spoken) >= self._requests[row].max_tokens
        )
