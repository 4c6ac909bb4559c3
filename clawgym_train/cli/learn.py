"""`clawgym-train sft`, `rl` and `eval`: what needs the extra `train`."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from clawgym_bench.errors import InputError

Config = Annotated[Path, typer.Argument(help="A YAML file; see docs/training.md.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint.")]


def needs_training() -> None:
    """Raises `InputError` with what to install."""
    missing = [name for name in ("torch", "trl", "peft") if not importlib.util.find_spec(name)]
    if missing:
        raise InputError(
            f"{', '.join(missing)} not installed. On a CPU: pip install torch==2.13.0, then "
            "pip install 'clawgym[train]'"
        )


def sft(config: Config, resume: Resume = False) -> None:
    """Fine-tune on conversations; loss on the assistant's turns only."""
    needs_training()
    from clawgym_train.config import load_config
    from clawgym_train.sft.config import SftConfig
    from clawgym_train.sft.train import train

    print(train(load_config(config, SftConfig), resume=resume))


def rl(config: Config, resume: Resume = False) -> None:
    """Reinforcement learning on tasks; the reward is the benchmark's grade."""
    needs_training()
    from clawgym_train.config import load_config
    from clawgym_train.rl.config import RlConfig
    from clawgym_train.rl.train import train

    print(train(load_config(config, RlConfig), resume=resume))


def evaluation(
    context: typer.Context,
    checkpoint: Annotated[str, typer.Argument(help="A folder with a model.")],
    tasks: Annotated[str | None, typer.Option(help="A task set; ClawGym-Bench if none.")] = None,
    provider: Annotated[
        str, typer.Option(help="clawgym (in this process), vllm (a GPU) or hf.")
    ] = "clawgym",
    sandbox: Annotated[str | None, typer.Option(help="docker or bwrap.")] = None,
    temperature: Annotated[float | None, typer.Option(help="0: the most probable token.")] = None,
    log_dir: Annotated[str | None, typer.Option(help="Where the log goes.")] = None,
) -> None:
    """Run `inspect eval` on a checkpoint. What follows `--` goes to inspect as it is."""
    if provider == "clawgym":
        needs_training()
    from clawgym_train.serve.evaluate import eval_command, evaluate

    arguments = eval_command(
        checkpoint,
        provider=provider,
        tasks=tasks,
        sandbox=sandbox,
        temperature=temperature,
        log_dir=log_dir,
        more=context.args,
    )
    print("inspect " + " ".join(arguments), flush=True)
    raise typer.Exit(evaluate(arguments))
