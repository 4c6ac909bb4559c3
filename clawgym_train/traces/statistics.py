"""What the kept traces are like, next to what the paper reports of its own."""

from array import array
from collections import Counter
from typing import Any

import numpy as np

from clawgym_train.traces.trace import Trace

PAPER = {
    "source": "ClawGym, arXiv 2604.26904: supervised fine-tuning data",
    "traces": 24_500,
    "min_score": 0.5,
    "rounds": 13.0,
    "tokens": 18_700,
    "tool_calls": 15.8,
}
QUANTILES = (0.5, 0.9)


class Statistics:
    """Grows by a few numbers per trace."""

    def __init__(self) -> None:
        self._series = {
            name: array("d")
            for name in ("rounds", "tokens", "tool_calls", "tool_types", "score", "sessions")
        }
        self.tools: Counter[str] = Counter()
        self.categories: Counter[str] = Counter()
        self.models: Counter[str] = Counter()
        self._tasks: set[str] = set()
        self._families: set[str] = set()
        self._errors = self._dead = self._successes = 0

    @property
    def traces(self) -> int:
        return len(self._series["rounds"])

    def add(self, trace: Trace, tokens: int) -> None:
        names = [call["name"] for talk in trace.conversations for call in talk.calls()]
        self.tools.update(names)
        self.categories[trace.category] += 1
        self.models[trace.model] += 1
        self._tasks.add(trace.task)
        self._families.add(trace.family)
        self._errors += trace.tool_errors
        self._dead += sum(talk.dead for talk in trace.conversations)
        self._successes += bool(trace.success)
        for name, value in (
            ("rounds", trace.rounds),
            ("tokens", tokens),
            ("tool_calls", len(names)),
            ("tool_types", len(set(names))),
            ("score", trace.score),
            ("sessions", len(trace.conversations)),
        ):
            self._series[name].append(value)

    def summary(self) -> dict[str, Any]:
        """Means and quantiles per trace, and counts over all."""
        calls = self.tools.total()
        return {
            "traces": self.traces,
            "conversations": int(sum(self._series["sessions"])),
            "tasks": len(self._tasks),
            "skeletons": len(self._families),
            "strict_successes": self._successes,
            "dead_turns_cut": self._dead,
            "tool_error_share": round(self._errors / calls, 4) if calls else 0.0,
            "per_trace": {name: _described(values) for name, values in self._series.items()},
            "tools": dict(self.tools.most_common()),
            "categories": dict(self.categories.most_common()),
            "models": dict(self.models.most_common()),
        }


def _described(values: "array[float]") -> dict[str, float]:
    if not values:
        return {}
    numbers = np.frombuffer(values, dtype=np.float64)
    median, high = np.quantile(numbers, QUANTILES)
    return {
        "mean": round(float(numbers.mean()), 3),
        "median": round(float(median), 3),
        "p90": round(float(high), 3),
        "max": round(float(numbers.max()), 3),
    }
