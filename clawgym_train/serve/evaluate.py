"""`inspect eval` on a checkpoint, as one command line. `clawgym-train eval CHECKPOINT`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from clawgym_bench.errors import InputError

PROVIDERS = ("clawgym", "vllm", "hf")
PARSERS = (("qwen", "hermes"), ("llama-3", "llama3_json"), ("llama3", "llama3_json"))
"""vLLM's tool parser by what the model is called; `hermes` for our own."""


def eval_command(
    checkpoint: str,
    *,
    provider: str = "clawgym",
    tasks: str | None = None,
    sandbox: str | None = None,
    temperature: float | None = None,
    log_dir: str | None = None,
    more: Sequence[str] = (),
) -> list[str]:
    """The arguments of `inspect`. `tasks`: a task set; ClawGym-Bench when not given.

    Raises `InputError` for an unknown provider, or a checkpoint that is no folder.
    """
    if provider not in PROVIDERS:
        raise InputError(f"no provider {provider!r}; there are {', '.join(PROVIDERS)}")
    if provider == "clawgym" and not Path(checkpoint, "config.json").is_file():
        adapter = Path(checkpoint, "adapter_config.json").is_file()
        if not adapter:
            raise InputError(f"{checkpoint}: is no checkpoint: it has no config.json")
    command = ["eval", "clawgym_bench" if tasks is None else "clawgym_bench/imported"]
    command += ["--model", f"{provider}/{checkpoint}"]
    if tasks is not None:
        command += ["-T", f"path={tasks}"]
    if sandbox is not None:
        command += ["-T", f"sandbox={sandbox}"]
    if provider == "vllm":
        known = [parser for part, parser in PARSERS if part in checkpoint.lower()]
        command += ["-M", f"tool_call_parser={(known or ['hermes'])[0]}"]
        command += ["-M", "enable_auto_tool_choice=true"]
    if temperature is not None:
        command += ["--temperature", f"{temperature:g}"]
    if log_dir is not None:
        command += ["--log-dir", log_dir]
    return [*command, *more]


def evaluate(arguments: Sequence[str]) -> int:
    """Runs `inspect` with these arguments; its exit code."""
    own = Path(sys.executable).with_name("inspect")
    program = str(own) if own.is_file() else shutil.which("inspect")
    if program is None:
        raise InputError("no program `inspect` is on the path; pip install inspect-ai")
    return subprocess.call([program, *arguments], env=dict(os.environ))
