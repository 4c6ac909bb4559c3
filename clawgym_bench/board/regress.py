"""The regression gate: is a candidate worse than a baseline, or can that not be told?

The task is the unit: epochs are averaged within it, and tasks of one family are resampled
together. Two tests look for harm: a paired cluster bootstrap on scores, and the exact McNemar test
on strict success (a task succeeds when most of its epochs do). The candidate passes when the lower
bound of the score difference at level `alpha` lies above the margin (non-inferiority).

A gate that cries wolf is switched off, so FAIL takes stronger evidence than PASS: each test must
reach `alpha / FAIL_STRICTNESS`. `benchmarks/gate.py` measures how often two equal candidates fail.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from clawgym_bench.board.result import RunResult, TaskResult

RESAMPLES = 4_000
SEED = 20_261
FAIL_STRICTNESS = 8
"""Two tests at alpha / 8 keep the chance of a false FAIL below alpha / 4."""
MOST_LOST = 0.1
"""With more than this share of trials unscored, a run says too little."""
POWER = 0.8


class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    INVALID = "INVALID"


EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.INVALID: 2, Verdict.INCONCLUSIVE: 3}


@dataclass(frozen=True)
class Pair:
    """One task in both runs: mean scores, and whether most epochs succeeded."""

    id: str
    family: str
    category: str
    baseline: float
    candidate: float
    succeeded: bool
    succeeds: bool

    @property
    def difference(self) -> float:
        return self.candidate - self.baseline


@dataclass(frozen=True)
class Comparison:
    """The verdict and all that it rests on. Differences are candidate minus baseline."""

    verdict: Verdict
    reasons: tuple[str, ...]
    margin: float
    alpha: float
    pairs: tuple[Pair, ...] = ()
    difference: float = 0.0
    lower: float = 0.0
    """One-sided lower bound at `alpha`."""
    upper: float = 0.0
    p_worse: float = 1.0
    """Bootstrap: how much of the distribution lies at or above no difference."""
    newly_failing: tuple[str, ...] = ()
    newly_passing: tuple[str, ...] = ()
    p_mcnemar: float = 1.0
    """Exact, one-sided: that many more newly failing tasks by chance."""
    detectable: float = 0.0
    """The smallest drop that this design would call FAIL in four of five cases."""
    more_epochs: int | None = None
    """Further epochs of each run that would decide if the difference stays; None: none would."""
    more_tasks: int | None = None
    lost: tuple[str, ...] = field(default=())
    """Trials without a score, per run: never losses."""

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]


def compare(
    baseline: RunResult,
    candidate: RunResult,
    margin: float = 0.02,
    alpha: float = 0.05,
    allow: Sequence[str] = (),
) -> Comparison:
    """Compares two runs. `allow` names differences to accept: agent, judge, sandbox, tasks."""
    problems = not_comparable(baseline, candidate, allow)
    lost = tuple(
        f"{name}: {run.unscored} of {run.trials} trials have no score"
        for name, run in (("baseline", baseline), ("candidate", candidate))
        if run.unscored
    )
    for name, run in (("baseline", baseline), ("candidate", candidate)):
        if run.unscored > MOST_LOST * run.trials:
            problems.append(
                f"the {name} has no score for {run.unscored} of {run.trials} trials; "
                f"at most {MOST_LOST:.0%} may be missing"
            )
    pairs = paired(baseline, candidate)
    if len(pairs) < 2:
        problems.append(f"{len(pairs)} tasks have a score in both runs; at least 2 are needed")
    if problems:
        return Comparison(Verdict.INVALID, tuple(problems), margin, alpha, pairs, lost=lost)
    return decide(pairs, margin, alpha, epoch_variance(baseline, candidate, pairs), lost)


def decide(
    pairs: Sequence[Pair],
    margin: float,
    alpha: float,
    noise: tuple[float, int, int] = (0.0, 1, 1),
    lost: tuple[str, ...] = (),
) -> Comparison:
    """The verdict on pairs. `noise`: variance between epochs of a task, and epochs of each run."""
    means = bootstrap(pairs)
    observed = float(np.mean([pair.difference for pair in pairs]))
    lower, upper = (float(np.quantile(means, level)) for level in (alpha, 1 - alpha))
    p_worse = float((np.sum(means >= 0) + 1) / (len(means) + 1))
    failing = tuple(pair.id for pair in pairs if pair.succeeded and not pair.succeeds)
    passing = tuple(pair.id for pair in pairs if pair.succeeds and not pair.succeeded)
    p_mcnemar = mcnemar(len(failing), len(passing))
    strict = alpha / FAIL_STRICTNESS
    error = float(np.std(means))
    reasons: list[str] = []
    if p_worse < strict and observed < 0:
        reasons.append(f"scores fell by {-observed:.3f} (p = {p_worse:.4f})")
    if p_mcnemar < strict:
        reasons.append(
            f"{len(failing)} tasks newly fail and {len(passing)} newly pass (p = {p_mcnemar:.4f})"
        )
    if reasons and lower < -margin:
        verdict = Verdict.FAIL
    elif lower >= -margin:
        verdict = Verdict.PASS
        reasons = [f"with {1 - alpha:.0%} confidence not more than {margin:g} worse"]
    else:
        verdict = Verdict.INCONCLUSIVE
        reasons = [f"the difference may be as low as {lower:.3f}; the margin is {margin:g}"]
    epochs = tasks = None
    if verdict is Verdict.INCONCLUSIVE:
        epochs, tasks = what_would_decide(pairs, observed, error, margin, alpha, noise)
    return Comparison(
        verdict,
        tuple(reasons),
        margin,
        alpha,
        tuple(pairs),
        observed,
        lower,
        upper,
        p_worse,
        failing,
        passing,
        p_mcnemar,
        (quantile(1 - strict) + quantile(POWER)) * error,
        epochs,
        tasks,
        lost,
    )


def not_comparable(baseline: RunResult, candidate: RunResult, allow: Sequence[str]) -> list[str]:
    """Why two runs may not be compared, each with the `--allow` that would let it pass."""
    found = []
    old = {task.id: task.hash for task in baseline.tasks}
    new = {task.id: task.hash for task in candidate.tasks}
    changed = sorted(name for name in old.keys() & new.keys() if old[name] != new[name])
    if changed and "tasks" not in allow:
        names = ", ".join(changed[:3]) + ("…" if len(changed) > 3 else "")
        found.append(f"{len(changed)} tasks have another content ({names}); --allow tasks")
    if old.keys() != new.keys() and "tasks" not in allow:
        only = len(old.keys() ^ new.keys())
        found.append(f"{only} tasks are in one run only; --allow tasks compares the others")
    facts = {
        "agent": ((baseline.agent, baseline.agent_version),
                  (candidate.agent, candidate.agent_version)),
        "judge": (baseline.judge, candidate.judge),
        "sandbox": (baseline.sandbox, candidate.sandbox),
    }  # fmt: skip
    for name, (before, after) in facts.items():
        if before != after and name not in allow:
            found.append(f"another {name}: {_said(before)} and {_said(after)}; --allow {name}")
    return found


def _said(fact: object) -> str:
    return " ".join(map(str, fact)) if isinstance(fact, tuple) else str(fact) or "none"


def paired(baseline: RunResult, candidate: RunResult) -> tuple[Pair, ...]:
    """The tasks that have a score in both runs."""
    others = {task.id: task for task in candidate.scored_tasks()}
    return tuple(
        Pair(
            task.id,
            task.family,
            task.category,
            task.score,
            other.score,
            (task.success or 0) > 0.5,
            (other.success or 0) > 0.5,
        )
        for task in baseline.scored_tasks()
        if (other := others.get(task.id)) is not None
        and task.score is not None
        and other.score is not None
    )


def bootstrap(pairs: Sequence[Pair], resamples: int = RESAMPLES) -> np.ndarray:
    """Means of the paired difference over resampled families, spread by sqrt(k / (k - 1)).

    The factor makes up for the bias of the bootstrap with few families. Reproducible.
    """
    families = sorted({pair.family for pair in pairs})
    sums = np.zeros(len(families))
    sizes = np.zeros(len(families))
    place = {family: number for number, family in enumerate(families)}
    for pair in pairs:
        sums[place[pair.family]] += pair.difference
        sizes[place[pair.family]] += 1
    count = len(families)
    draws = np.random.default_rng(SEED).multinomial(count, np.full(count, 1 / count), resamples)
    means = (draws @ sums) / np.maximum(draws @ sizes, 1)
    middle = sums.sum() / sizes.sum()
    wider = math.sqrt(count / (count - 1)) if count > 1 else 1.0
    return np.asarray(middle + (means - middle) * wider)


def mcnemar(worse: int, better: int) -> float:
    """Exact one-sided p: at least `worse` of the discordant tasks fell, were it a fair coin."""
    total = worse + better
    if total == 0:
        return 1.0
    return float(sum(math.comb(total, k) for k in range(worse, total + 1)) / 2**total)


def epoch_variance(
    baseline: RunResult, candidate: RunResult, pairs: Sequence[Pair]
) -> tuple[float, int, int]:
    """Mean variance between epochs of one task, and the number of epochs of each run."""
    wanted = {pair.id for pair in pairs}
    spreads = [
        float(np.var(scores, ddof=1))
        for run in (baseline, candidate)
        for task in run.tasks
        if task.id in wanted and len(scores := _scores(task)) > 1
    ]
    return (float(np.mean(spreads)) if spreads else 0.0), baseline.epochs, candidate.epochs


def _scores(task: TaskResult) -> list[float]:
    return [trial.score for trial in task.scored if trial.score is not None]


def what_would_decide(
    pairs: Sequence[Pair],
    observed: float,
    error: float,
    margin: float,
    alpha: float,
    noise: tuple[float, int, int],
) -> tuple[int | None, int | None]:
    """Further epochs (of each run), and further tasks, that would decide if the difference stays.

    The standard error has to shrink until the nearer of the two bounds is reached. Epochs only
    shrink the part that is noise between epochs; None when that is not enough or unknown.
    """
    pass_error = (margin + observed) / quantile(1 - alpha)
    fail_error = -observed / quantile(1 - alpha / FAIL_STRICTNESS)
    wanted = max(pass_error, fail_error)
    if wanted <= 0 or error <= 0:
        return None, None
    tasks = math.ceil(len(pairs) * (error / wanted) ** 2) - len(pairs)
    variance, before, after = noise
    within = variance * (1 / before + 1 / after) / len(pairs)
    between = max(error**2 - within, 0.0)
    room = wanted**2 - between
    if within <= 0 or room <= 0:
        return None, max(tasks, 1)
    # Equal numbers of further epochs in both runs, found by trying.
    for more in range(1, 1001):
        shrunk = variance * (1 / (before + more) + 1 / (after + more)) / len(pairs)
        if shrunk <= room:
            return more, max(tasks, 1)
    return None, max(tasks, 1)


def quantile(level: float) -> float:
    """Of the standard normal distribution."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(level)
