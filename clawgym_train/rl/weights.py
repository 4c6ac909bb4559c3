"""Gives a vLLM server the trainer's weights: saved to a folder, loaded again on request."""

from pathlib import Path
from typing import Any

import httpx

from clawgym_bench.errors import InfrastructureError
from clawgym_train.rl.config import Endpoint


class WeightSync:
    """Stands where TRL has its own vLLM client: `sync_weights` is called before every rollout.

    The server must have been started on the folder `endpoint.weights`, with
    `VLLM_SERVER_DEV_MODE=1`, which opens `/collective_rpc`.
    """

    def __init__(self, endpoint: Endpoint, trainer: Any, seconds: float = 600.0) -> None:
        self._endpoint, self._trainer, self._seconds = endpoint, trainer, seconds

    def sync_weights(self) -> None:
        trainer, folder = self._trainer, Path(self._endpoint.weights)
        state = trainer.accelerator.get_state_dict(trainer.model)
        if trainer.accelerator.is_main_process:
            model = trainer.accelerator.unwrap_model(trainer.model)
            model.save_pretrained(folder, state_dict=state)
            url = self._endpoint.base_url.rstrip("/").removesuffix("/v1") + "/collective_rpc"
            try:
                answer = httpx.post(url, json={"method": "reload_weights"}, timeout=self._seconds)
                answer.raise_for_status()
            except httpx.HTTPError as error:
                raise InfrastructureError(
                    f"{url}: the server did not load the new weights: {error}"
                ) from error
        trainer.accelerator.wait_for_everyone()
