"""Gate *mutants*: seeded errors in the reference's outputs cost points.

At least 95 % of the errors in data, and 80 % of those in facts of prose (numbers, names, dates,
exchanged values), must be noticed by checks alone, and of every kind and every column some.
Sentences negated, paragraphs added and words shuffled are what a rubric is for: reported, and
gated at 80 % for hybrid tasks when a judge is given. Errors in programs may be none, so they are
reported, as are those in files that the reference changed but the contract does not list.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, Severity, verdict
from clawgym_bench.audit.mutations import FIELD, Group, Mutant
from clawgym_bench.audit.mutations_answers import other_answers
from clawgym_bench.audit.mutations_detect import BudgetSpent, Detector
from clawgym_bench.audit.mutations_subjects import MAKERS, OFFICE, Subject, subjects
from clawgym_bench.checks import Evidence
from clawgym_bench.checks.limits import Refused
from clawgym_bench.grading import Verdict
from clawgym_bench.task import Task

NAME = "mutants"
PER_KIND = 12
PER_FIELD = 40
PER_KIND_COSTLY = 4
"""Of mutants that only a command or a judge can notice, or that are slow to read."""
BOUNDS: dict[Group, float] = {"data": 0.95, "fact": 0.80, "prose": 0.80}
RUNS: dict[Group, int] = {"data": 16, "fact": 8, "prose": 0, "program": 16, "edited": 8}
"""Commands at most, by group."""
CALLED: dict[Group, str] = {
    "data": "errors in data",
    "fact": "wrong facts in prose",
    "prose": "errors in the wording of prose",
    "program": "changes of programs",
    "edited": "changes of files that the contract does not list",
}
REMEDIES: dict[Group, str] = {
    "data": "compare this field, or do not ask for it",
    "fact": "check this fact; leave an aside out of the reference, or out of a variant",
    "prose": "let a criterion of the rubric notice it",
}
UNSEEN = 3
"""So many errors of one kind of which none is noticed are no chance: nothing looks for it."""
EXAMPLES = 3

Judge = Callable[[Task, Evidence], Awaitable[Sequence[Verdict]]]
"""Verdicts on all criteria of a task."""

Drawn = dict[Group, list[tuple[Subject, Mutant]]]


@dataclass
class _Count:
    tried: int = 0
    caught: int = 0


@dataclass
class _Tally:
    """Counts by group and kind, what survived, and what could not be tried."""

    counts: dict[tuple[Group, str], _Count] = field(default_factory=lambda: defaultdict(_Count))
    survivors: list[tuple[Subject, Mutant]] = field(default_factory=list)
    untried: int = 0

    def add(self, subject: Subject, mutant: Mutant, caught: bool) -> None:
        count = self.counts[mutant.group, mutant.kind]
        count.tried += 1
        count.caught += caught
        if not caught:
            self.survivors.append((subject, mutant))

    def total(self, group: Group) -> _Count:
        counts = [count for (of, _), count in self.counts.items() if of == group]
        return _Count(sum(c.tried for c in counts), sum(c.caught for c in counts))

    @property
    def figures(self) -> dict[str, float]:
        figures: dict[str, int] = {}
        for (group, kind), count in sorted(self.counts.items()):
            if group != "edited":
                figures |= {f"{kind} tried": count.tried, f"{kind} caught": count.caught}
        edited = self.total("edited")
        if edited.tried:
            figures |= {"other file tried": edited.tried, "other file caught": edited.caught}
        return {name: float(number) for name, number in figures.items()}


async def run(context: Context, judge: Judge | None = None) -> GateResult:
    task = context.task
    if not context.has_reference:
        return GateResult(NAME, "no evidence", [Finding("note", "the task has no reference")])
    evidence, reference = await context.reference()
    if reference.status == "unscored" or not reference.score:
        found = Finding("note", "the reference earns nothing, so that nothing could be lost")
        return GateResult(NAME, "no evidence", [found])
    random = Random(f"{context.seed}:{task.id}:{NAME}")
    detector = Detector(task, context.backend, reference)
    others = await other_answers(context, evidence)
    findings: list[Finding] = []
    tally = _Tally()
    drawn = _draw(list(subjects(task, evidence, others)), evidence, detector, random, findings)
    judged = judge is not None and task.hybrid
    for group in RUNS:
        if group == "prose" and judge is not None and task.hybrid:
            await _try_judged(detector, evidence, drawn[group], judge, tally)
        else:
            await _try(detector, evidence, drawn[group], RUNS[group], tally)
    if not tally.counts:
        findings.append(Finding("note", "no output of the reference could be mutated"))
        return GateResult(NAME, "no evidence", findings)
    gated: list[Group] = ["data", "fact", "prose"] if judged else ["data", "fact"]
    return verdict(NAME, [*_findings(tally, gated), *findings], tally.figures)


def _draw(
    chosen: Sequence[Subject],
    evidence: Evidence,
    detector: Detector,
    random: Random,
    findings: list[Finding],
) -> Drawn:
    """The mutants to try, by group: some of each kind, over all subjects."""
    pools: dict[tuple[Group, str, bool], list[tuple[Subject, Mutant]]] = defaultdict(list)
    for subject in chosen:
        try:
            made = MAKERS[subject.format](subject.content, subject.rules, random)
            same = made.same() if made.same else None
        except (Refused, ValueError) as error:
            findings.append(Finding("note", f"not mutated: {error}", file=subject.name))
            continue
        if same is not None and detector.noticed(
            _with(evidence, subject, same), subject.path, subject.session
        ):
            reason = "not mutated: written anew without an error it loses points"
            findings.append(Finding("warning", reason, file=subject.name))
            continue
        declared = detector.declared(subject.path, subject.session) or not detector.runs_something
        fast = declared and subject.format not in OFFICE
        for mutant in made.mutants:
            group = subject.group or mutant.group
            quick = declared if mutant.kind == FIELD else fast
            pools[group, mutant.kind, quick].append((subject, replace(mutant, group=group)))
    drawn: Drawn = defaultdict(list)
    for (group, kind, quick), pool in sorted(pools.items(), key=lambda item: item[0]):
        plenty = PER_FIELD if kind == FIELD else PER_KIND
        most = plenty if quick else PER_KIND_COSTLY
        drawn[group] += random.sample(pool, min(most, len(pool)))
    return drawn


def _with(evidence: Evidence, subject: Subject, content: bytes) -> Evidence:
    """The evidence with one file or message replaced."""
    if subject.session:
        messages = list(evidence.messages)
        messages[subject.session - 1] = content.decode(errors="replace")
        return replace(evidence, messages=tuple(messages))
    files = {**evidence.snapshot.files, subject.path: content}
    return replace(evidence, snapshot=replace(evidence.snapshot, files=files))


async def _try(
    detector: Detector,
    evidence: Evidence,
    mutants: Sequence[tuple[Subject, Mutant]],
    budget: int,
    tally: _Tally,
) -> None:
    for subject, mutant in mutants:
        path, session = subject.path, subject.session
        spoilt = _with(evidence, subject, mutant.make())
        try:
            caught, budget = await detector.loses(spoilt, path, session, budget=budget)
        except BudgetSpent:
            budget, caught = 0, False
            if not detector.declared(path, session):
                tally.untried += 1
                continue
        tally.add(subject, mutant, caught)


async def _try_judged(
    detector: Detector,
    evidence: Evidence,
    mutants: Sequence[tuple[Subject, Mutant]],
    judge: Judge,
    tally: _Tally,
) -> None:
    """Noticed by a check, or by a judge who gives a lower level on some criterion."""
    task = detector.task
    whole = {verdict.criterion: verdict.level for verdict in await judge(task, evidence)}
    counts: dict[str, int] = defaultdict(int)
    for subject, mutant in mutants:
        counts[mutant.kind] += 1
        if counts[mutant.kind] > PER_KIND_COSTLY:
            continue
        spoilt = _with(evidence, subject, mutant.make())
        caught = detector.noticed(spoilt, subject.path, subject.session) or any(
            verdict.level < whole.get(verdict.criterion, 0.0)
            for verdict in await judge(task, spoilt)
        )
        tally.add(subject, mutant, caught)


def _findings(tally: _Tally, gated: Sequence[Group]) -> list[Finding]:
    findings = []
    for group in gated:
        total, bound = tally.total(group), BOUNDS[group]
        if total.tried and total.caught < bound * total.tried:
            findings.append(
                Finding(
                    "error",
                    f"{total.caught} of {total.tried} {CALLED[group]} cost points, "
                    f"{bound:.0%} must",
                    "let checks compare what the survivors below changed",
                )
            )
    for (group, kind), count in sorted(tally.counts.items()):
        if group in gated and count.tried >= UNSEEN and not count.caught:
            reason = f"{kind}: none of {count.tried} errors of this kind costs points"
            findings.append(Finding("error", reason, REMEDIES[group]))
    for subject, mutant in tally.survivors:
        if mutant.group in gated:
            reason = f"{mutant.kind} costs nothing: {mutant.before} → {mutant.after}"
            remedy = REMEDIES[mutant.group]
            severity: Severity = "error" if mutant.kind == FIELD else "warning"
            findings.append(Finding(severity, reason, remedy, subject.name, mutant.line))
    findings += _reported(tally, gated)
    if tally.untried:
        reason = f"{tally.untried} mutants that only a command could notice were not tried"
        findings.append(Finding("note", reason))
    return findings


def _reported(tally: _Tally, gated: Sequence[Group]) -> list[Finding]:
    """One note for each kind that is not gated, with some survivors."""
    findings = []
    for (group, kind), count in sorted(tally.counts.items()):
        survivors = [one for one in tally.survivors if (one[1].group, one[1].kind) == (group, kind)]
        if group in gated or not survivors:
            continue
        examples = "; ".join(
            f"{subject.name}{f':{mutant.line}' if mutant.line else ''}: "
            f"{mutant.before} → {mutant.after}"
            for subject, mutant in survivors[:EXAMPLES]
        )
        reason = f"{kind}: {len(survivors)} of {count.tried} cost nothing, for example {examples}"
        findings.append(Finding("note", reason, REMEDIES.get(group, "")))
    return findings
