"""A synthesized set as an Inspect task.

inspect eval clawgym_data/syn -T path=DIR --model openai/gpt-5
inspect eval clawgym_data/syn -T path=DIR -T split=train --limit 100 --model vllm/Qwen/Qwen3-8B
"""

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError

from clawgym_bench.errors import ClawGymError
from clawgym_bench.evaluation import imported
from clawgym_data.sets import split_path


@task
def syn(
    path: str,
    split: str | None = None,
    subset: str | None = None,
    ids: str | list[str] | None = None,
    category: str | None = None,
    agent: str = "claw",
    variant: str | None = None,
    sandbox: str | None = None,
    judge: bool = True,
    refresh: bool = False,
) -> Task:
    """A set that `clawgym-data synth` has made.

    Args:
        path: The folder that was given as --out (any other task set will do, too).
        split: train, validation or test; test when nobody says.
        subset: See clawgym_bench; so are all that follow.
        ids: Only these tasks.
        category: Only this category.
        agent: The agent.
        variant: A variant of the reference.
        sandbox: The sandbox.
        judge: Whether to judge.
        refresh: Whether to judge anew.
    """
    try:
        place = split_path(path, split)
    except ClawGymError as error:
        raise PrerequisiteError(str(error)) from error
    return imported(
        path=place,
        subset=subset,
        ids=ids,
        category=category,
        agent=agent,
        variant=variant,
        sandbox=sandbox,
        judge=judge,
        refresh=refresh,
    )
