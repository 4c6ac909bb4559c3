"""Asks a model through Inspect: its providers, limits on connections, retries, batches, cache.

An answer is kept in Inspect's cache, under the number of its attempt and round: an attempt that is
made again after a kill gets the same answer, without a call.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
    get_model_info,
)
from inspect_ai.util import json_schema
from pydantic import BaseModel

from clawgym_bench.errors import InfrastructureError, InputError
from clawgym_data.pipeline.engine import Cost, RunEnds
from clawgym_data.write.account import Account

RETRIES = 6
SECONDS = 1_800
"""The most that one answer may take, all retries included; a batch may take a day."""
BATCH_SECONDS = 90_000
CONNECTIONS = 8
REFUSED_BY_ALL = {
    401: "the key is not accepted",
    403: "the key may not use it",
    404: "there is no such model",
}


@dataclass(frozen=True)
class Answer:
    """`refused` says, in the model's words, why there is none."""

    text: str
    cost: Cost
    refused: str = ""
    cut: bool = False
    """Whether it ended at the limit of tokens."""


class Answers:
    """One model with its settings, its cache and the account that it is paid from."""

    def __init__(
        self,
        model: str | Model,
        account: Account | None = None,
        *,
        config: GenerateConfig = GenerateConfig(),
        model_args: Mapping[str, Any] | None = None,
        cache: bool = True,
    ) -> None:
        """Raises `InputError` for a model that cannot be opened or, with a budget in dollars, one
        whose price is not known."""
        self.account = account or Account()
        self.connections = config.max_connections or CONNECTIONS
        self.config = GenerateConfig(
            max_connections=self.connections,
            max_retries=RETRIES,
            timeout=BATCH_SECONDS if config.batch else SECONDS,
        ).merge(config)
        self._cache = cache
        self._given, self._args = model, dict(model_args or {})
        self._loop: asyncio.AbstractEventLoop | None = None
        try:
            self.model = self._open()
        except (PrerequisiteError, ValueError, ImportError) as error:
            raise InputError(f"--model {model}: {_plain(error)}") from error
        if self.account.budget.dollars is not None and not self.priced:
            raise InputError(
                f"--budget-usd: the price of {self.model} is not known; give it with "
                "--model-cost-config, or bound the tokens with --budget-tokens"
            )

    def _open(self) -> Model:
        return get_model(self._given, memoize=False, **self._args)

    def _here(self) -> Model:
        """The model for this event loop: its connections belong to the loop that opened them."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            if self._loop is not None:
                self.model = self._open()
            self._loop = loop
        return self.model

    @property
    def name(self) -> str:
        return str(self.model)

    @property
    def priced(self) -> bool:
        info = get_model_info(self.model)
        return info is not None and info.cost is not None

    def describe(self) -> dict[str, Any]:
        """What decides the answers."""
        runtime = {"max_connections", "max_retries", "timeout", "batch"}
        config = self.config.model_dump(mode="json", exclude_none=True, exclude=runtime)
        return {"model": self.name, "config": config}

    async def ask(
        self, key: str, scope: str, messages: Sequence[ChatMessage], schema: type[BaseModel]
    ) -> Answer:
        """One answer in the form of `schema`, which the provider may or may not keep to.

        `key` names it in the account and, with `scope`, in the cache. Raises `BudgetSpent`;
        `RunEnds` when the provider would refuse every other call too; `InfrastructureError` when
        it does not answer.
        """
        self.account.check(key)
        config = GenerateConfig(
            response_schema=ResponseSchema(name=schema.__name__, json_schema=json_schema(schema))
        )
        policy = CachePolicy(expiry=None, per_epoch=False, scopes={"run": scope, "answer": key})
        try:
            output = await self._here().generate(
                list(messages),
                config=self.config.merge(config),
                cache=policy if self._cache else False,
            )
        except Exception as error:
            raise self._failure(error) from error
        answer = _read(output)
        self.account.add(key, answer.cost)
        return answer

    def _failure(self, error: Exception) -> Exception:
        status = _status(error)
        if status in REFUSED_BY_ALL:
            return RunEnds(
                f"{self.name} refuses every call (HTTP {status}): {REFUSED_BY_ALL[status]}"
            )
        kind = type(_origin(error)).__name__
        if status is not None and 400 <= status < 500 and status not in (408, 409, 429):
            return ValueError(f"{self.name} does not accept the call (HTTP {status}, {kind})")
        code = f"HTTP {status}, " if status else ""
        return InfrastructureError(f"no answer from {self.name} ({code}{kind})")


def _read(output: ModelOutput) -> Answer:
    usage = output.usage
    cost = Cost(calls=1, unpriced=1)
    if usage is not None:
        read, written = usage.input_tokens_cache_read, usage.input_tokens_cache_write
        cost = Cost(
            calls=1,
            input_tokens=usage.input_tokens + (read or 0) + (written or 0),
            output_tokens=usage.output_tokens,
            dollars=round(usage.total_cost or 0.0, 9),
            unpriced=int(usage.total_cost is None),
        )
    if not output.choices:
        return Answer("", cost)
    content = output.message.content
    parts = content if isinstance(content, list) else []
    refused = any(isinstance(part, ContentText) and part.refusal for part in parts)
    text = output.completion
    if refused or output.stop_reason == "content_filter":
        return Answer("", cost, text.strip()[:300] or "no reason given")
    return Answer(text, cost, cut=output.stop_reason in ("max_tokens", "model_length"))


def _status(error: BaseException) -> int | None:
    """The HTTP status that is behind an error."""
    found: BaseException | None = error
    while found is not None:
        status = getattr(found, "status_code", None)
        if isinstance(status, int):
            return status
        found = found.__cause__ or found.__context__
    return None


def _origin(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _plain(error: BaseException) -> str:
    """Inspect's message without its markup."""
    text = str(getattr(error, "message", error))
    return " ".join(re.sub(r"\[/?[a-z ]*\]", "", text).split())
