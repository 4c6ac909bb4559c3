"""Run results made up for tests."""

from clawgym_bench.board.result import RunResult, TaskResult, Trial


def run(
    scores: dict[str, list[float | None]],
    families: dict[str, str] | None = None,
    **fields: object,
) -> RunResult:
    """A run with these scores per task and epoch; a full score is a success."""
    tasks = [
        TaskResult(
            id=name,
            hash=f"hash-{name}",
            family=(families or {}).get(name, name),
            category="analysis-reasoning",
            trials=[
                Trial(
                    epoch=number,
                    score=score,
                    success=None if score is None else score >= 1,
                    reason="" if score is not None else "the sandbox was lost",
                )
                for number, score in enumerate(found, 1)
            ],
        )
        for name, found in scores.items()
    ]
    known: dict[str, object] = {
        "run": "r1",
        "created": "2026-11-30T12:00:00+00:00",
        "model": "example/model",
        "agent": "claw",
        "agent_version": "1",
        "task": "clawgym_bench",
        "task_set": "clawgym_bench",
        "task_set_hash": "abc",
        "epochs": max(len(found) for found in scores.values()),
        "sandbox": "bwrap",
        "tasks": tasks,
    }
    return RunResult.model_validate(known | fields)
