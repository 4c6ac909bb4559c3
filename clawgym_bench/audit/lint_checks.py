"""Rules of *lint* on checks: what they demand was asked for, and they are worth something."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_paths import names_file, reference_files
from clawgym_bench.audit.lint_reading import Looked, Reading, folded, holds, words
from clawgym_bench.checks import Check
from clawgym_bench.checks.data import DataCheck
from clawgym_bench.checks.globs import is_glob, matches
from clawgym_bench.checks.table import TableAssertions
from clawgym_bench.checks.text import Range
from clawgym_bench.checks.wording import normal
from clawgym_bench.errors import TaskFault
from clawgym_bench.grading import untouched_checks

SHORT_CITE = 6
_NUMBER_WORDS = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_ANSWER = re.compile(
    r"\b(?:in|as|with) your (?:\w+ )?(?:answer|reply|message|response)\b"
    r"|\b(?:answer|reply|report back) (?:me )?with\b",
    re.I,
)
ORDER_WORDS = re.compile(
    r"\b(?:order(?:ed|s)?|sort(?:ed|s|ing)?|rank(?:ed|s|ing)?|ascending|descending|alphabet\w*"
    r"|chronolog\w*|sequence|(?:earliest|latest|newest|oldest|largest|smallest|highest|lowest"
    r"|most|best|worst|biggest) (?:\w+ )?first|top \w+)\b",
    re.I,
)


def citations(reading: Reading) -> Iterator[Finding]:
    """Every check cites a span of a request or of the contract."""
    if reading.imported:
        return
    for check in reading.task.checks:
        if folded(check.cites) not in reading.asked and normal(check.cites) not in reading.normal:
            yield _at(
                check.id,
                "error",
                f"cites {check.cites!r}, which no request and no contract says",
                "cite the words that ask for it, or ask for it",
            )
        elif len(check.cites.strip()) < SHORT_CITE:
            yield _at(check.id, "warning", f"cites no more than {check.cites!r}", "cite a sentence")


def vacuous(reading: Reading) -> Iterator[Finding]:
    """Checks that the untouched workspace satisfies and that do not say that they are gates."""
    try:
        untouched = untouched_checks(reading.task)
    except TaskFault as fault:
        yield Finding("error", f"a check cannot be carried out: {fault}", file="task.yaml")
        return
    for check in reading.task.checks:
        if check.id in untouched and not check.gate:
            yield _at(
                check.id,
                "error",
                "is satisfied before anything is done",
                "sharpen it, or set `gate: true`",
            )


def twice(reading: Reading) -> Iterator[Finding]:
    """The same demand under two ids has double weight without saying so."""
    seen: dict[str, str] = {}
    for check in reading.task.checks:
        body = f"{check.kind} {json.dumps(check.body.model_dump(mode='json'), sort_keys=True)}"
        if body in seen:
            yield _at(
                check.id, "error", f"demands exactly what {seen[body]} does", "remove one of them"
            )
        seen.setdefault(body, check.id)


def paths_read(reading: Reading) -> Iterator[Finding]:
    """The agent knows where to put what a check or a criterion reads."""
    task = reading.task
    contract = {output.path for output in task.outputs}
    known = contract | set(task.inputs)
    for one in reading.bodies:
        if one.path is None or one.case is not None or one.path in known:
            continue
        if any(folder.endswith("/") and one.path.startswith(folder) for folder in contract):
            continue
        if not names_file(reading, one.path) and not _pattern_named(reading, one.path):
            yield _at(
                one.check,
                "error",
                f"reads {one.path}, which no request and no contract names",
                "add it to `outputs`",
            )
    for criterion in task.rubric:
        for path in criterion.files:
            if path not in known and not holds(reading.asked, path):
                yield Finding(
                    "error",
                    f"criterion {criterion.id}: the judge reads {path}, which nobody asked for",
                    "correct the path, or add it to `outputs`",
                    file="task.yaml",
                )
    if reading.imported or any(check.kind in {"command", "reward"} for check in task.checks):
        return
    judged = {path for criterion in task.rubric for path in criterion.files}
    looked = {one.path for one in reading.bodies if one.path} | judged
    patterns = [path for path in looked if is_glob(path)]
    dumped = json.dumps([check.model_dump(mode="json") for check in task.checks])
    for output in task.outputs:
        fitted = any(_fits(output.path, pattern) for pattern in patterns)
        if output.path not in looked and output.path not in dumped and not fitted:
            yield Finding(
                "warning",
                f"nothing looks at {output.path}, which the contract asks for",
                "check it, or do not ask for it",
                file="task.yaml",
            )


def _pattern_named(reading: Reading, pattern: str) -> bool:
    """Whether the agent is told of every file that a pattern is for: those of the contract and of
    the reference that it fits, or the folder in which it looks."""
    if not is_glob(pattern):
        return False
    folder = re.split(r"[*?\[]", pattern)[0].rpartition("/")[0]
    if folder and holds(reading.asked, f"{folder}/"):
        return True
    made = {output.path for output in reading.task.outputs} | reference_files(reading)
    fitting = [path for path in made if matches(path, pattern)]
    contract = {output.path for output in reading.task.outputs}
    return bool(fitting) and all(p in contract or names_file(reading, p) for p in fitting)


def answers(reading: Reading) -> Iterator[Finding]:
    """What is to be said in the final message is read by a check or by the judge."""
    task = reading.task
    if reading.imported or any(criterion.message for criterion in task.rubric):
        return
    last = len(task.sessions)
    read = {
        getattr(check.body, "session", None) or last
        for check in task.checks
        if check.kind == "message"
    }
    for number, session in enumerate(task.sessions, 1):
        asked = _ANSWER.search(session.instruction)
        if asked and number not in read:
            yield Finding(
                "error",
                f"session {number} asks for something in the final message "
                f"({' '.join(asked.group().split())!r}), and nothing reads it",
                "check the message, or do not ask for it",
                file="task.yaml",
                line=session.instruction.count("\n", 0, asked.start()) + 1,
            )


def form(reading: Reading) -> Iterator[Finding]:
    """Rounding, order and length are checked only as far as they were asked for."""
    task = reading.task
    rounding = {output.path: output.decimals for output in task.outputs}
    ordered = {output.path for output in task.outputs if output.order}
    said = bool(ORDER_WORDS.search(reading.request))
    for one in reading.bodies:
        asked = _asked_places(one.path or "", rounding)
        finer = _finest(getattr(one.body, "decimals", None))
        if asked is not None and finer is not None and finer > asked:
            yield _at(
                one.check,
                "error",
                f"compares {one.path} to {finer} decimal places; the contract asks for {asked}",
                "compare as the contract rounds",
            )
        wants_order = getattr(one.body, "ordered", False) or getattr(one.body, "sorted_by", [])
        known = any(one.path and _fits(path, one.path) for path in ordered)
        if wants_order and one.case is None and not known and not said:
            yield _at(
                one.check,
                "error",
                f"wants an order in {one.path} that nobody asked for",
                "add `order` to the output, or drop it from the check",
            )
        for name in ("words", "lines", "bullets", "headings", "paragraphs"):
            bounds = getattr(one.body, name, None)
            if isinstance(bounds, Range) and one.case is None:
                yield from _bounds(reading, one, name, bounds)


def _asked_places(path: str, rounding: Mapping[str, int | None]) -> int | None:
    """The fewest decimals that the contract asks of the files a check reads."""
    asked = [places for one, places in rounding.items() if _fits(one, path) and places is not None]
    return min(asked, default=None)


def _fits(path: str, pattern: str) -> bool:
    return path == pattern or matches(path, pattern)


def _bounds(reading: Reading, one: Looked, name: str, bounds: Range) -> Iterator[Finding]:
    for number in {bounds.min, bounds.max} - {None, 0, 1}:
        assert number is not None
        forms = [str(number), f"{number:,}", *_NUMBER_WORDS[number : number + 1]]
        if not any(holds(reading.asked, written) for written in forms):
            where = one.path or "the final message"
            yield _at(
                one.check,
                "warning",
                f"bounds the {name} of {where} by {number}, which no request says",
                "say it in the request",
            )


def _finest(decimals: Any) -> int | None:
    if isinstance(decimals, dict):
        return max(decimals.values(), default=None)
    return decimals if isinstance(decimals, int) else None


def _at(check: str, severity: Any, what: str, remedy: str = "") -> Finding:
    return Finding(severity, f"check {check} {what}", remedy, file="task.yaml")


def weights(reading: Reading) -> Iterator[Finding]:
    """A single check that decides alone hides behind the others."""
    earning: Sequence[Check] = [check for check in reading.task.checks if not check.gate]
    total = sum(check.weight for check in earning)
    for check in earning if len(earning) > 2 else ():
        if check.weight > 0.8 * total:
            yield _at(
                check.id,
                "warning",
                f"has {check.weight / total:.0%} of all weight",
                "split it, or weigh the others",
            )


def looks_at_tables(body: Any) -> list[TableAssertions]:
    """The body itself when it is about a table, and those that it holds."""
    own = [body] if isinstance(body, TableAssertions) else []
    inner = [table for part in getattr(body, "sections", []) for table in part.tables]
    return [*own, *getattr(body, "tables", []), *inner] if not isinstance(body, DataCheck) else own
