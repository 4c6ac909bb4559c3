"""Sampling in this process: batched or alone, the same tokens and the model's own logprobs."""

import asyncio

import pytest
import torch

from clawgym_train.rollout.transformers_policy import TransformersPolicy
from clawgym_train.tiny import TinyModel, new_model
from tests.train.templates import tokenizer


@pytest.fixture(scope="module")
def model() -> torch.nn.Module:
    return new_model(tokenizer("tiny"), TinyModel(layers=2, width=64), seed=1)


PROMPTS = [[5, 6, 7], [9, 10, 11, 12, 13, 14, 15], [20], [30, 31]]


def policy(model: torch.nn.Module, **options: object) -> TransformersPolicy:
    made = tokenizer("tiny")
    return TransformersPolicy(model, frozenset({made.eos_token_id}), made.pad_token_id, **options)  # type: ignore[arg-type]


async def test_batched_with_padding_is_as_alone(model: torch.nn.Module) -> None:
    greedy = policy(model, temperature=0.0)
    alone = [await greedy.sample(prompt, max_tokens=12) for prompt in PROMPTS]
    together = await asyncio.gather(*(greedy.sample(p, max_tokens=12) for p in PROMPTS))
    assert [c.ids for c in together] == [c.ids for c in alone]
    for one, other in zip(alone, together, strict=True):
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4)


async def test_logprobs_are_those_of_the_distribution_sampled_from(model: torch.nn.Module) -> None:
    warm = policy(model, temperature=0.7, seed=3)
    for prompt in PROMPTS:
        completion = await warm.sample(prompt, max_tokens=9)
        ids = torch.tensor([[*prompt, *completion.ids]])
        with torch.no_grad():
            logits = model(input_ids=ids).logits[0, len(prompt) - 1 : -1] / 0.7
        wanted = logits.log_softmax(-1).gather(1, torch.tensor(completion.ids).unsqueeze(1))
        assert completion.logprobs == pytest.approx(wanted.squeeze(1).tolist(), abs=1e-4)


async def test_each_request_has_its_own_limit(model: torch.nn.Module) -> None:
    greedy = policy(model, temperature=0.0)
    limits = [1, 4, 8, 2]
    together = await asyncio.gather(
        *(greedy.sample(p, max_tokens=n) for p, n in zip(PROMPTS, limits, strict=True))
    )
    for completion, limit in zip(together, limits, strict=True):
        assert len(completion.ids) <= limit
        assert completion.finished == (completion.ids[-1] == tokenizer("tiny").eos_token_id)


async def test_a_seed_repeats_a_serial_run(model: torch.nn.Module) -> None:
    draws = [await policy(model, seed=5).sample([5, 6], max_tokens=20) for _ in range(2)]
    assert draws[0] == draws[1]
    assert draws[0] != await policy(model, seed=6).sample([5, 6], max_tokens=20)
