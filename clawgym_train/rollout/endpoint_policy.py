"""A policy behind an endpoint: OpenAI completions with token ids in and out, as vLLM has them."""

from collections.abc import Sequence

import openai

from clawgym_bench.errors import InfrastructureError
from clawgym_train.rollout.policy import Completion


class EndpointPolicy:
    """`base_url` ends in `/v1`. `model` is the name that the server has for it."""

    def __init__(
        self,
        base_url: str,
        model: str,
        stops: frozenset[int],
        *,
        temperature: float = 1.0,
        api_key: str = "none",
        seconds: float = 600.0,
        retries: int = 2,
    ) -> None:
        self._client = openai.AsyncOpenAI(
            base_url=base_url, api_key=api_key, timeout=seconds, max_retries=retries
        )
        self._model, self._stops, self._temperature = model, stops, temperature

    async def sample(self, prompt: Sequence[int], *, max_tokens: int) -> Completion:
        try:
            answer = await self._client.completions.create(
                model=self._model,
                prompt=list(prompt),
                max_tokens=max_tokens,
                temperature=self._temperature,
                logprobs=1,
                extra_body={
                    "return_token_ids": True,
                    "stop_token_ids": sorted(self._stops),
                    "skip_special_tokens": False,
                    "include_stop_str_in_output": True,
                },
            )
        except openai.OpenAIError as error:
            raise InfrastructureError(f"{self._client.base_url}: {error}") from error
        choice = answer.choices[0]
        ids = (choice.model_extra or {}).get("token_ids")
        sampled = choice.logprobs.token_logprobs if choice.logprobs else None
        if not isinstance(ids, list) or sampled is None or len(sampled) != len(ids):
            raise InfrastructureError(
                f"{self._client.base_url}: the answer has no token ids with logprobs; the server "
                "must understand `return_token_ids` as vLLM does"
            )
        logprobs = tuple(0.0 if value is None else float(value) for value in sampled)
        spoken = tuple(int(token) for token in ids)
        return Completion(spoken, logprobs, bool(spoken) and spoken[-1] in self._stops)

    async def close(self) -> None:
        await self._client.close()
