"""One line per logged step, with the figures that matter, instead of the trainer's dictionaries."""

from collections.abc import Sequence
from typing import Any

from transformers import PrinterCallback, Trainer, TrainerCallback


class StepLine(TrainerCallback):
    """`names`: what is shown, in order, where it was logged."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if not state.is_world_process_zero or not logs:
            return
        shown = [f"{name} {float(logs[name]):.4g}" for name in self._names if name in logs]
        if shown:
            print(f"step {state.global_step}/{state.max_steps}  " + "  ".join(shown), flush=True)


def show_steps(trainer: Trainer, names: Sequence[str]) -> None:
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(StepLine(names))
