"""What the request leaves open about the form of one output: which re-formattings are right.

A form is tried only where the contract does not speak against it: no `1,234.50` where plain
numbers are asked for, no `T00:00` where `YYYY-MM-DD` is, no added line beyond a bound of words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from clawgym_bench.audit.lint_checks import ORDER_WORDS
from clawgym_bench.checks import CheckBody, Evidence
from clawgym_bench.checks.command import CommandCheck
from clawgym_bench.checks.data import DataCheck
from clawgym_bench.checks.message import MessageCheck
from clawgym_bench.checks.prose import (
    heading_count,
    item_count,
    line_count,
    paragraphs,
    word_count,
)
from clawgym_bench.checks.text import Range, TextAssertions
from clawgym_bench.task import Output, Task

_PLAIN_NUMBERS = re.compile(r"plain (?:decimal )?numbers?|without (?:thousands?|separators?)", re.I)
_TYPED = re.compile(
    r"\b(?:as|are|to|of|be|is|plain)(?: a)? numbers?\b(?! of)|numeric|\bintegers?\b|\bfloats?\b",
    re.I,
)
_EXACTLY = re.compile(
    r"\bexactly (?:what|as|the (?:same|output|text|content|json))\b|byte for byte|verbatim"
    r"|letter by letter|\bunchanged\b|\bas it is written\b",
    re.I,
)
_ISO = re.compile(
    r"YYYY|ISO[- ]?(?:8601|dates?)|(?:\bas|\blike|form(?:at)?|e\.g\.),? `?\d{4}-\d{2}-\d{2}", re.I
)
_RELATIVE = re.compile(r"relative|without (?:the )?(?:folder|directory)", re.I)
_OPENING = re.compile(
    r"\b(?:begins?|starts?|opens?) with|first line|nothing else|no (?:title|greeting|heading)"
    r"|last line|ends? with",
    re.I,
)
_COUNTS: Mapping[str, Callable[[str], int]] = {
    "words": word_count,
    "lines": line_count,
    "bullets": item_count,
    "headings": heading_count,
    "paragraphs": lambda text: len(paragraphs(text)),
}


@dataclass(frozen=True)
class Terms:
    """What is fixed about one output.

    `exact`: the request wants something letter by letter. `verbatim`: a text is compared line by
    line. `listed`: the contract names keys or columns, so that nothing else fixes their types.
    `paths` are files that values may name, `bounds` the counts that hold of its text.
    """

    ordered: bool = False
    exact: bool = False
    verbatim: bool = False
    plain_numbers: bool = False
    typed: bool = False
    iso_dates: bool = False
    relative: bool = False
    opening: bool = False
    headings_counted: bool = False
    decimals: int | None = None
    listed: bool = True
    paths: frozenset[str] = frozenset()
    workspace: str = "/workspace"
    bounds: Sequence[tuple[str, Range]] = ()
    rng: Random = field(default_factory=lambda: Random(0))

    def room(self, text: str) -> bool:
        """Whether a text still keeps within the counts asked for."""
        return all(bounds.holds(_COUNTS[name](text)) for name, bounds in self.bounds)


def terms_of(task: Task, path: str | None, session: int, evidence: Evidence, rng: Random) -> Terms:
    """The terms of the output at `path`; of the final message of `session` when it is None."""
    output = next((one for one in reversed(task.outputs) if one.path == path), None)
    bodies = _bodies_on(task, path, session)
    said = _said_about(task, path, session)
    exact = bool(_EXACTLY.search(said))
    texts = [body for body in bodies if isinstance(body, TextAssertions)]
    known = {one for one in (*evidence.snapshot.files, *task.missing) if "/" in one}
    return Terms(
        ordered=_is_ordered(task, output, bodies),
        exact=exact,
        verbatim=any(_is_verbatim(body) for body in texts),
        plain_numbers=bool(_PLAIN_NUMBERS.search(said)),
        typed=exact or bool(_TYPED.search(said)),
        iso_dates=exact or bool(_ISO.search(said)),
        relative=bool(_RELATIVE.search(said)),
        opening=bool(_OPENING.search(said)),
        headings_counted=any(isinstance(getattr(one, "headings", None), Range) for one in texts),
        decimals=output.decimals if output else None,
        listed=bool(output and (output.keys or output.columns)),
        paths=frozenset(known),
        workspace=task.workspace_path,
        bounds=[
            (name, bounds)
            for body in texts
            for name in _COUNTS
            if isinstance(bounds := getattr(body, name, None), Range)
        ],
        rng=rng,
    )


def _is_verbatim(body: TextAssertions) -> bool:
    return body.equals is not None or body.equals_file is not None


def _bodies_on(task: Task, path: str | None, session: int) -> list[Any]:
    """Bodies that read the output, those of a command's cases too."""
    bodies: list[Any] = []
    for check in task.checks:
        inner: list[CheckBody] = [check.body]
        if isinstance(check.body, CommandCheck):
            inner = [one.body for case in check.body.cases for one in case.expect]
        for body in inner:
            if path is None:
                mine = isinstance(body, MessageCheck)
                mine = mine and (getattr(body, "session", None) or len(task.sessions)) == session
            else:
                mine = getattr(body, "path", None) == path
            bodies += [body] if mine else []
    return bodies


def _said_about(task: Task, path: str | None, session: int) -> str:
    """The contract's notes and the passages of the requests that name the output."""
    if path is None:
        return task.sessions[session - 1].instruction
    notes = [one.note or "" for one in task.outputs if one.path == path]
    passages = [
        passage
        for one in task.sessions
        for passage in re.split(r"\n\s*\n|\n\s*(?=[-*\d]+[.)]?\s)", one.instruction)
        if path in passage or path.rsplit("/", 1)[-1] in passage
    ]
    return " ".join("\n".join([*notes, *passages]).split())


def _is_ordered(task: Task, output: Output | None, bodies: Sequence[Any]) -> bool:
    """Whether an order was asked for, or may have been: in doubt it was."""
    if output is not None and output.order:
        return True
    strict = False
    for body in bodies:
        if getattr(body, "ordered", False) or getattr(body, "sorted_by", []):
            return True
        if isinstance(body, TextAssertions) and (body.in_order or body.equals or body.equals_file):
            return True
        strict = strict or (isinstance(body, DataCheck) and body.unordered is False)
    if not bodies:
        return True
    return strict and _speaks_of_order(task)


def _speaks_of_order(task: Task) -> bool:
    texts = [session.instruction for session in task.sessions]
    texts += [output.describe() for output in task.outputs]
    texts += [
        content[:200_000].decode("utf-8", errors="replace")
        for path, content in task.inputs.items()
        if path.endswith((".md", ".txt", ".rst", ".html", ".eml"))
    ]
    return any(ORDER_WORDS.search(text) for text in texts)
