"""The checker of an imported ClawGym task: its sub-scores, aggregated by us.

Such a checker is a program of unknown quality. It runs in a grading sandbox
(`clawgym_bench.execution`); what it printed arrives here as the outcome's `stdout`: a JSON object
of named sub-scores, or one number on the last line.

- A declared total (the key `reward`) is the score and is never averaged in with its own parts.
- Without one, the mean of all numbers and booleans at the top level is the score.
- A crash, a time-out, no number, or a number outside [0, 1] says nothing about the agent:
  `TaskFault`, the sample is unscored.
"""

import json
import math
from collections.abc import Sequence
from typing import Any, ClassVar

from clawgym_bench.checks.base import CheckBody, Evidence, Finding
from clawgym_bench.checks.command import outcomes_of
from clawgym_bench.errors import TaskFault

TOTAL = "reward"
SCRIPT = "reward/reward.sh"
CHECKER = "reward/check.py"


class RewardCheck(CheckBody):
    """`payload`: the checker reads the conversation from a JSON file instead of the workspace."""

    kind: ClassVar[str] = "reward"

    payload: bool = False

    def hidden_files(self) -> frozenset[str]:
        return frozenset({SCRIPT, CHECKER})

    def run(self, evidence: Evidence) -> list[Finding]:
        (outcome,) = outcomes_of(self.kind, evidence, 1)
        text = outcome.stdout.decode(errors="replace")
        last = outcome.stderr.decode(errors="replace").strip().splitlines()[-1:]
        said = f": {last[0][:300]}" if last else ""
        if outcome.timed_out:
            raise TaskFault("the task's checker ran into its time limit")
        if outcome.exit_code != 0 and not text.strip():
            raise TaskFault(f"the task's checker ended with {outcome.exit_code}{said}")
        return score_findings(text)


def score_findings(text: str) -> list[Finding]:
    """Findings from what a checker printed; raises `TaskFault` when it holds no valid score."""
    printed = _parse(text)
    if not isinstance(printed, dict):
        total = _share("the score", printed)
        return [Finding(total >= 1, f"the task's checker gave {total:g}", share=total)]
    parts = {
        str(name): _share(f"sub-score {name!r}", value)
        for name, value in printed.items()
        if isinstance(value, bool | int | float)
    }
    if not parts:
        raise TaskFault("the task's checker printed no sub-scores")
    if TOTAL in parts:
        total = parts.pop(TOTAL)
        detail = ", ".join(f"{name} {share:g}" for name, share in parts.items())
        reason = f"the task's checker declares {total:g}" + (f" ({detail[:400]})" if detail else "")
        return [Finding(total >= 1, reason, share=total)]
    return [Finding(share >= 1, f"{name}: {share:g}", share=share) for name, share in parts.items()]


def _parse(text: str) -> Any:
    lines: Sequence[str] = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        raise TaskFault("the task's checker printed nothing")
    for candidate in (text, lines[-1]):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    raise TaskFault(f"the task's checker printed no score; its last line is {lines[-1][:200]!r}")


def _share(what: str, value: Any) -> float:
    if not isinstance(value, bool | int | float):
        raise TaskFault(f"{what} of the task's checker is not a number: {value!r:.100}")
    share = float(value)
    if math.isnan(share) or not 0 <= share <= 1:
        raise TaskFault(f"{what} of the task's checker is {share:g}, outside 0 to 1")
    return share
