"""What the three stages reached, from their Inspect logs: `learning.json`.

python -m clawgym_train.tiny.report RUN OUT.json

RUN holds `seed-N/eval/{before,after_sft,after_rl}/*.eval`.
"""

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from clawgym_bench.errors import InputError
from clawgym_bench.regrade import SCORER

STAGES = ("before", "after_sft", "after_rl")
RESAMPLES = 2_000


def interval(values: Sequence[float], families: Sequence[str]) -> tuple[float, float]:
    """95 % of bootstrap means, resampled by family: tasks of one plan go together."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for value, family in zip(values, families, strict=True):
        grouped[family].append(value)
    groups = list(grouped.values())
    chance = random.Random(0)
    means = sorted(
        fmean(value for group in chance.choices(groups, k=len(groups)) for value in group)
        for _ in range(RESAMPLES)
    )
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def stage_figures(log: EvalLog) -> dict[str, Any]:
    """Mean and interval of score and strict success; samples without a score are counted."""
    scored = [sample for sample in log.samples or [] if sample.scores and not sample.error]
    families = [str(sample.metadata.get("family", sample.id)) for sample in scored]
    figures: dict[str, Any] = {"n": len(scored), "unscored": len(log.samples or []) - len(scored)}
    for name in ("score", "success"):
        values = [
            float(score.value[name])
            for sample in scored
            for score in [(sample.scores or {})[SCORER]]
            if isinstance(score.value, dict)
        ]
        low, high = interval(values, families)
        figures[name] = round(fmean(values), 4)
        figures[f"{name}_95"] = [round(low, 4), round(high, 4)]
    return figures


def seed_figures(folder: Path) -> dict[str, Any]:
    """Raises `InputError` where a stage was not evaluated, or not on the same tasks."""
    figures: dict[str, Any] = {"seed": int(folder.name.removeprefix("seed-"))}
    ids: set[frozenset[str]] = set()
    for stage in STAGES:
        logs = list_eval_logs(str(folder / "eval" / stage))
        if not logs:
            raise InputError(f"{folder}/eval/{stage}: holds no log; let the recipe finish")
        log = read_eval_log(logs[0])
        if log.status != "success":
            raise InputError(f"{logs[0].name}: did not end well ({log.status})")
        ids.add(frozenset(str(sample.id) for sample in log.samples or []))
        figures[stage] = stage_figures(log)
    if len(ids) != 1:
        raise InputError(f"{folder}: the stages were evaluated on different tasks")
    figures["n"] = len(next(iter(ids)))
    return figures


def main(
    run: Annotated[Path, typer.Argument(help="The recipe's output folder.")],
    out: Annotated[Path, typer.Argument(help="Where learning.json goes.")],
) -> None:
    """Gather what the stages of every seed reached."""
    seeds = [seed_figures(folder) for folder in sorted(run.glob("seed-*"))]
    if not seeds:
        raise InputError(f"{run}: holds no seed-N folder")
    gains = [seed["after_rl"]["success"] - seed["after_sft"]["success"] for seed in seeds]
    report = {
        "seeds": seeds,
        "gain": {"mean": round(fmean(gains), 4), "least": round(min(gains), 4)},
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(report, indent=1) + "\n")
    for seed in seeds:
        parts = [
            f"{stage} {seed[stage]['score']:.3f}/{seed[stage]['success']:.3f}" for stage in STAGES
        ]
        print(f"seed {seed['seed']}, {seed['n']} tasks, score/success: " + "  ".join(parts))
    print(f"RL over SFT, strict success: mean {fmean(gains):+.3f}, least {min(gains):+.3f} → {out}")


if __name__ == "__main__":
    typer.run(main)
