"""Gate *variants*: the same answer in other correct forms scores at least 0.95.

The variants that a task ships are played like the reference. Others are derived from what the
reference left behind (`forms`): one form at a time on all outputs that it fits; where that costs
points, on each output alone, to name it. No agent is played for these. What has to run is run once,
on outputs that are changed in many ways at once; only where that fails it is run for each form.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, verdict
from clawgym_bench.audit.forms import composite, forms_of, kind_of, message_forms
from clawgym_bench.audit.forms_terms import terms_of
from clawgym_bench.audit.mutations_subjects import paths_in
from clawgym_bench.audit.play import assess, first_failure, play, solver
from clawgym_bench.checks import Check, Evidence
from clawgym_bench.checks.message import MessageCheck
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.grading import RUNS_SOMETHING, Grade, grade
from clawgym_bench.task import Task, variant_names

NAME = "variants"
BOUND = 0.95
OUTPUTS = 24
"""Outputs that are re-formatted at most, in the order of the contract."""


@dataclass(frozen=True)
class Change:
    """Files and messages (by session from 0) in another form."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    messages: Mapping[int, str] = field(default_factory=dict)

    @property
    def targets(self) -> list[str]:
        said = [f"the final message of session {at + 1}" for at in self.messages]
        return [*self.files, *said]

    def alone(self) -> list["Change"]:
        """One change for each file and each message."""
        one_file = [Change({path: body}) for path, body in self.files.items()]
        return [*one_file, *(Change({}, {at: text}) for at, text in self.messages.items())]

    def on(self, evidence: Evidence) -> Evidence:
        snapshot = replace(evidence.snapshot, files={**evidence.snapshot.files, **self.files})
        messages = [self.messages.get(at, text) for at, text in enumerate(evidence.messages)]
        return replace(evidence, snapshot=snapshot, messages=tuple(messages))


async def run(context: Context) -> GateResult:
    if not context.has_reference:
        return GateResult(NAME, "no evidence", [Finding("note", "the task has no reference")])
    findings: list[Finding] = []
    figures: dict[str, float] = {}
    for name in variant_names(context.task):
        figures[f"variant {name}"], found = await _shipped(context, name)
        findings += found
    evidence, reference = await context.reference()
    if reference.score is None or reference.score < BOUND:
        evidence_of_failure = f"no form can be derived: the reference fails ({_lost(reference)})"
        findings.append(Finding("error", evidence_of_failure, "see the gate oracle", "solution"))
        return verdict(NAME, findings, figures)
    changes = derived(context.task, evidence, context.seed)
    if not changes and not figures:
        note = Finding("note", "there is no variant, and no output that has another form")
        return GateResult(NAME, "no evidence", [note])
    trial = _Trial(context, evidence, reference)
    await trial.prepare()
    for form, change in changes.items():
        accepted, tried, found = await trial.form(form, change)
        figures[f"form {form}"] = accepted / tried
        findings += found
    return verdict(NAME, findings, figures)


async def _shipped(context: Context, name: str) -> tuple[float, list[Finding]]:
    evidence = await play(context.task, solver(context.task, name), context.backend)
    result = await assess(context.task, evidence, context.backend)
    where = f"variants/{name}"
    if result.score is None or result.score < BOUND:
        what = f"the variant {name} earns {_score(result)}: {first_failure(result, 3)}"
        remedy = "correct the variant or the check that rejects it"
        return result.score or 0.0, [Finding("error", what, remedy, file=where)]
    if result.score < 1:
        what = f"the variant {name} earns {_score(result)}: {first_failure(result, 3)}"
        return result.score, [Finding("warning", what, file=where)]
    return result.score, []


def derived(task: Task, evidence: Evidence, seed: int) -> dict[str, Change]:
    """Every form that fits something of what was delivered, by the form's name."""
    files: dict[str, dict[str, bytes]] = defaultdict(dict)
    messages: dict[str, dict[int, str]] = defaultdict(dict)
    for path, kind in _outputs(task, evidence).items():
        rng = Random(f"{seed}:{task.id}:{NAME}:{path}")
        terms = terms_of(task, path, len(task.sessions), evidence, rng)
        for name, body in forms_of(kind, evidence.snapshot.files[path], terms).items():
            files[name][path] = body
    for at, message in enumerate(evidence.messages):
        rng = Random(f"{seed}:{task.id}:{NAME}:{at}")
        terms = terms_of(task, None, at + 1, evidence, rng)
        for name, text in message_forms(message, terms).items():
            messages[name][at] = text
    names = dict.fromkeys([*files, *messages])
    return {name: Change(files[name], messages[name]) for name in names}


def _outputs(task: Task, evidence: Evidence) -> dict[str, str]:
    """Delivered files of the contract, and others that a check reads, with their kind."""
    found: dict[str, str] = {}
    formats = {output.path: output.format for output in task.outputs}
    files = evidence.snapshot.files
    read = [path for check in task.checks for path in paths_in(check, files)]
    for path in [*formats, *read]:
        content = evidence.snapshot.files.get(path)
        kind = kind_of(path, formats.get(path, "")) if path else None
        if content is None or kind is None or evidence.inputs.get(path) == content:
            continue
        found[path] = kind
    return dict(list(found.items())[:OUTPUTS])


class _Trial:
    """Grades changed evidence of one task, with as few runs in sandboxes as possible."""

    def __init__(self, context: Context, evidence: Evidence, reference: Grade) -> None:
        self.context = context
        self.evidence = evidence
        self.reference = reference
        self.runs_again = False

    async def prepare(self) -> None:
        """Runs what has to run on outputs in many forms at once: need it run for each form?"""
        task = self.context.task
        if not runs_something(task):
            return
        changed = {
            path: composite(
                kind,
                self.evidence.snapshot.files[path],
                terms_of(task, path, len(task.sessions), self.evidence, Random(task.id)),
            )
            for path, kind in _outputs(task, self.evidence).items()
        }
        evidence = Change(changed).on(self.evidence)
        outcomes = await run_commands(
            task, evidence.snapshot, self.context.backend, evidence.messages
        )
        result = await asyncio.to_thread(grade, task, evidence, outcomes)
        before = {one.id: one.score for one in self.reference.results}
        self.runs_again = result.status == "unscored" or any(
            one.score < before[one.id] for one in result.results if one.kind in RUNS_SOMETHING
        )

    async def grade(self, change: Change) -> Grade:
        """Only the checks that look at something changed are asked again."""
        evidence = change.on(self.evidence)
        if self.runs_again:
            return await self.context.grade(evidence)
        task = self.context.task
        asked = [check for check in task.checks if _looks_at(check, change)]
        if not asked:
            return self.reference
        part = task.model_copy(update={"checks": asked})
        result = await asyncio.to_thread(grade, part, evidence)
        return result if result.status == "unscored" else _merged(self.reference, result)

    async def form(self, form: str, change: Change) -> tuple[int, int, list[Finding]]:
        """How many of the targets pass in this form, how many there are, and what fails."""
        tried = len(change.targets)
        together = await self.grade(change)
        if _passes(together):
            return tried, tried, []
        findings = []
        for one in change.alone():
            result = together if tried == 1 else await self.grade(one)
            if not _passes(result):
                findings.append(_rejected(form, one.targets[0], result))
        if not findings:
            where = ", ".join(change.targets)
            return tried, tried, [_rejected(form, where, together)]
        return tried - len(findings), tried, findings


def _looks_at(check: Check, change: Change) -> bool:
    """Whether the change can matter to the check; what has to run was run in `prepare`."""
    if check.kind in RUNS_SOMETHING:
        return False
    if isinstance(check.body, MessageCheck):
        return bool(change.messages)
    path = getattr(check.body, "path", None)
    return path is None or bool(paths_in(check, change.files))


def _merged(reference: Grade, part: Grade) -> Grade:
    """The reference's grade with the results of some checks replaced."""
    new = {one.id: one for one in part.results}
    results = [new.get(one.id, one) for one in reference.results]
    earning = [one for one in results if not one.gate]
    total = sum(one.weight for one in earning)
    failed = tuple(one.id for one in results if one.gate and not one.passed)
    score = 0.0 if failed or not total else sum(o.score * o.weight for o in earning) / total
    return replace(reference, score=score, checks=score, results=results, failed_gates=failed)


def _rejected(form: str, where: str, result: Grade) -> Finding:
    return Finding(
        "error",
        f"{where} with the form “{form}” earns {_score(result)}: {first_failure(result, 2)}",
        "let the check accept the form, or fix the form in the contract",
        file=where,
    )


def _passes(result: Grade) -> bool:
    return result.score is not None and result.score >= BOUND


def _score(result: Grade) -> str:
    return "no score" if result.score is None else f"{result.score:.3f}"


def _lost(result: Grade) -> str:
    return f"{_score(result)}: {first_failure(result, 2)}"
