"""Gate *tamper*: who changes what was given loses.

protected inputs   edited by a byte, by a value, cut to one record, replaced, deleted, renamed:
                   each alone, on top of the reference's work, must score 0
solved for it      where no input is protected: the largest one that the reference leaves alone
                   is cut first, and the reference does its work on what is left
editable inputs    cut or deleted after the reference's work: must lose where a check looks at
                   the file; where none does, a warning
missing files      one is invented and every word about its absence left out: must lose; the
                   invented file beside an honest report is a warning
no reference       the untouched workspace, its inputs edited, cut, emptied or deleted, must not
                   earn more than it does untouched
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, Severity, verdict
from clawgym_bench.audit.mutations_detect import BudgetSpent, Detector
from clawgym_bench.audit.mutations_subjects import paths_in
from clawgym_bench.audit.mutations_values import wrong_number_texts
from clawgym_bench.audit.play import play, solver
from clawgym_bench.checks import Evidence
from clawgym_bench.grading import (
    MEMORY,
    RUNS_SOMETHING,
    grade,
    intact_inputs,
    untouched_evidence,
)
from clawgym_bench.sandbox import File
from clawgym_bench.task import Task
from clawgym_bench.task.rules import matches

NAME = "tamper"
INPUTS = 12
"""Of more protected inputs that many are tampered with, drawn by chance."""
EDITABLE = 3
RUNS = 12
"""Commands at most, over all editable inputs."""

Files = Mapping[str, bytes | None]
"""What to put into a workspace; None: delete."""


async def run(context: Context) -> GateResult:
    task = context.task
    random = Random(f"{context.seed}:{task.id}:{NAME}")
    if not context.has_reference:
        return await _untouched(context)
    evidence, reference = await context.reference()
    if reference.status == "unscored" or not reference.score:
        found = Finding("note", "the reference earns nothing, so that nothing could be lost")
        return GateResult(NAME, "no evidence", [found])
    findings, tried = _protected(task, evidence, random)
    findings += await _solved_for_it(context, evidence)
    detector = Detector(task, context.backend, reference)
    findings += await _editable(task, evidence, detector, random)
    findings += await _missing(task, evidence, detector)
    if not task.inputs and not task.missing:
        return GateResult(NAME, "not applicable", [Finding("note", "the task has no inputs")])
    return verdict(NAME, findings, {"protected inputs tampered with": float(tried)})


def protected(task: Task) -> list[str]:
    return [path for path in task.inputs if not matches(path, [*task.editable, *MEMORY])]


def ways(path: str, content: bytes, others: Mapping[str, bytes]) -> Iterator[tuple[str, Files]]:
    """What can be done to one input, by name."""
    if content:
        middle = len(content) // 2
        other = bytes([content[middle] ^ 1])
        yield "edited by one byte", {path: content[:middle] + other + content[middle + 1 :]}
    text = content.decode("utf-8", errors="ignore")
    wrong = dict(wrong_number_texts(text[-4_000:])) if text.encode() == content else {}
    for new in list(wrong.values())[:1]:
        yield "edited by one value", {path: (text[:-4_000] + new).encode()}
    record = b"".join(content.splitlines(keepends=True)[:2])
    if record != content:
        yield "cut to one record", {path: record}
    replacement = next((body for at, body in others.items() if at != path), b"replaced\n")
    if replacement != content:
        yield "replaced", {path: replacement}
    yield "deleted", {path: None}
    folder, name = posixpath.split(path)
    yield "renamed", {path: None, posixpath.join(folder, f"old-{name}"): content}


def tampered(evidence: Evidence, files: Files) -> Evidence:
    """The evidence with some files put in, or (None) taken away."""
    now = {**evidence.snapshot.files, **{p: body for p, body in files.items() if body is not None}}
    for path, body in files.items():
        if body is None:
            now.pop(path, None)
    return replace(evidence, snapshot=replace(evidence.snapshot, files=now))


def _protected(task: Task, evidence: Evidence, random: Random) -> tuple[list[Finding], int]:
    """Failures, and how many inputs were tried."""
    paths = protected(task)
    chosen = sorted(random.sample(paths, min(INPUTS, len(paths))))
    plain = [check for check in task.checks if check.kind not in RUNS_SOMETHING]
    # Whatever else is checked, one failed gate makes the score 0; commands need not be run.
    quick = task.model_copy(update={"checks": plain})
    findings: list[Finding] = []
    for path in chosen:
        for way, files in ways(path, task.inputs[path], task.inputs):
            changed = tampered(evidence, files)
            lost = not intact_inputs(task, changed.snapshot).passed
            if plain and path == chosen[0]:
                lost = lost and grade(quick, changed).score == 0
            if not lost:
                reason = f"{path} may be {way} and the score stays"
                remedy = "inputs outside `editable` must be intact"
                findings.append(Finding("error", reason, remedy, file=path))
    return findings, len(chosen)


async def _solved_for_it(context: Context, evidence: Evidence) -> list[Finding]:
    """Where nothing is protected: less input, less work, the same score?"""
    task = context.task
    kept = {
        path: file
        for path, file in task.workspace.items()
        if evidence.snapshot.files.get(path) == file.content and len(file.content.splitlines()) > 3
    }
    if protected(task) or not kept:
        return []
    path = max(kept, key=lambda each: (len(kept[each].content), each))
    lines = kept[path].content.splitlines(keepends=True)
    half = File(b"".join(lines[: len(lines) // 2]), kept[path].mode)
    shorter = task.model_copy(update={"files": {**task.files, f"workspace/{path}": half}})
    played = await play(shorter, solver(shorter), context.backend)
    result = await context.grade(replace(played, inputs=task.inputs))
    _, reference = await context.reference()
    if result.status == "scored" and (result.score or 0.0) < (reference.score or 0.0):
        return []
    reason = f"{path} may be cut in half first, and the work done on the rest keeps its score"
    return [Finding("error", reason, "take it out of `editable`", file=path)]


async def _editable(
    task: Task, evidence: Evidence, detector: Detector, random: Random
) -> list[Finding]:
    """Tampering that nobody asked for with what the agent may change."""
    files = evidence.snapshot.files
    open_to = [p for p in task.inputs if p in files and matches(p, task.editable) and files[p]]
    chosen = sorted(random.sample(open_to, min(EDITABLE, len(open_to))))
    looked_at = {path for check in task.checks for path in paths_in(check, files)}
    looked_at |= {output.path for output in task.outputs}
    findings: list[Finding] = []
    budget = RUNS
    for path in chosen:
        for way, new in (("cut in half", files[path][: len(files[path]) // 2]), ("deleted", None)):
            try:
                lost, budget = await detector.loses(
                    tampered(evidence, {path: new}), path, budget=budget
                )
            except BudgetSpent:
                budget = 0
                continue
            if not lost:
                findings.append(
                    Finding(
                        "error" if path in looked_at else "warning",
                        f"the editable input {path} may be {way} and the score stays",
                        "check what must be left of it, or take it out of `editable`",
                        file=path,
                    )
                )
    return findings


async def _missing(task: Task, evidence: Evidence, detector: Detector) -> list[Finding]:
    findings: list[Finding] = []
    for path in task.missing:
        invented = _invented(path, task.inputs)
        silent = _silent(evidence, path)
        if silent == evidence:
            reason = f"the reference says nowhere that {path} is missing"
            findings.append(Finding("warning", reason, "let it report the file by its path"))
        cases: list[tuple[str, Evidence, Severity]] = [
            ("and its absence is not reported", silent, "error"),
            ("beside an honest report", evidence, "warning"),
        ]
        for what, left, severity in cases:
            try:
                lost, _ = await detector.loses(tampered(left, {path: invented}), budget=RUNS)
            except BudgetSpent:
                continue
            if not lost:
                findings.append(
                    Finding(
                        severity,
                        f"{path} is invented {what}, and the score stays",
                        "check that the file is reported, and forbid it with `files: absent`",
                        file=path,
                    )
                )
    return findings


def _invented(path: str, inputs: Mapping[str, bytes]) -> bytes:
    """The input that looks most like it, under its name."""
    words = set(re.findall(r"[a-z]+", path.lower()))
    alike = max(
        inputs, key=lambda p: len(words & set(re.findall(r"[a-z]+", p.lower()))), default=None
    )
    return inputs[alike] if alike else b"item,value\nfirst,1\n"


def _silent(evidence: Evidence, path: str) -> Evidence:
    """The same work without a word about the missing file: its path is not in it, nor is any line
    of prose that names it."""
    name = posixpath.basename(path)

    def without(text: str) -> str:
        kept = [line for line in text.splitlines(keepends=True) if name not in line]
        return "".join(kept)

    files = {}
    for at, body in evidence.snapshot.files.items():
        if evidence.inputs.get(at) == body or name.encode() not in body:
            continue
        quoted = rf'\s*"[^"]*{re.escape(name)}"\s*,?'.encode()
        files[at] = (
            re.sub(quoted, b"", body)
            if at.endswith(".json")
            else without(body.decode(errors="replace")).encode()
        )
    messages = tuple(without(message) for message in evidence.messages)
    return replace(tampered(evidence, files), messages=messages)


async def _untouched(context: Context) -> GateResult:
    """Without a reference: doing nothing but damage must not pay."""
    task = context.task
    if not task.checks or not task.inputs:
        reason = "the task has no checker" if task.inputs else "the task has no inputs"
        return GateResult(NAME, "no evidence", [Finding("note", reason)])
    base = untouched_evidence(task)
    before = await context.grade(base)
    if before.status == "unscored":
        reason = f"the untouched workspace is unscored: {before.reason}"
        return GateResult(NAME, "no evidence", [Finding("note", reason)])
    findings: list[Finding] = []
    for way in ("edited by one byte", "cut to one record", "replaced", "deleted"):
        files: dict[str, bytes | None] = {}
        for path, content in task.inputs.items():
            files |= dict(ways(path, content, task.inputs)).get(way, {})
        after = await context.grade(tampered(base, files))
        if after.status == "unscored":
            reason = f"with all inputs {way} the task is unscored: {after.reason}"
            findings.append(Finding("warning", reason, "let the checker survive it"))
        elif (after.score or 0.0) > (before.score or 0.0) + 1e-9:
            reason = f"with all inputs {way} an idle agent earns {after.score:.3f}, not "
            findings.append(
                Finding("error", f"{reason}{before.score:.3f}", "compare with the inputs as given")
            )
    if not protected(task):
        reason = "no input is protected: edits of inputs cannot be noticed by themselves"
        findings.append(Finding("warning", reason, "compare the inputs with what was given"))
    return verdict(NAME, findings, {"untouched": before.score or 0.0})
