"""Which files and messages of the reference are mutated, and what is asked of each.

Subjects are the outputs of the contract, the files that checks look at, the final messages that a
check or a criterion reads, and the programs and other files that the reference made or changed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from clawgym_bench.audit import (
    mutations_archive,
    mutations_blocks,
    mutations_database,
    mutations_files,
    mutations_program,
    mutations_tree,
)
from clawgym_bench.audit.mutations import Group, Maker, Rules, format_of
from clawgym_bench.checks import Check, Evidence
from clawgym_bench.checks.facts import Fact
from clawgym_bench.checks.globs import matches as fits
from clawgym_bench.checks.table_files import heading
from clawgym_bench.grading import MEMORY
from clawgym_bench.task import Output, Task
from clawgym_bench.task.rules import matches

_FILES: Mapping[str, Maker] = {
    "csv": mutations_files.delimited,
    "tsv": mutations_files.delimited,
    "xlsx": mutations_files.workbook,
    "sqlite": mutations_database.database,
    "json": mutations_tree.json_mutations,
    "jsonl": mutations_tree.lines_mutations,
    "yaml": mutations_tree.yaml_mutations,
    "toml": mutations_tree.toml_mutations,
    "ics": mutations_blocks.calendar,
    "vcf": mutations_blocks.contacts,
    "markdown": mutations_files.text,
    "text": mutations_files.text,
    "html": mutations_files.html,
    "docx": mutations_files.docx,
    "eml": mutations_files.mail,
    "python": mutations_program.python,
    "shell": mutations_program.shell,
}
MAKERS: Mapping[str, Maker] = {
    **_FILES,
    "zip": mutations_archive.archive_maker("zip", _FILES),
    "tar": mutations_archive.archive_maker("tar", _FILES),
}
PROSE = frozenset({"markdown", "text", "html", "docx", "eml"})
PROGRAMS = frozenset({"python", "shell"})
OFFICE = frozenset({"docx", "xlsx"})
BYTES = 2 * 2**20
"""Of a larger file no mutants are made."""


@dataclass(frozen=True)
class Subject:
    """A file by `path`, or the final message of `session` (counted from 1, 0 for files).

    `group` is set where its mutants are of one group whatever their kind.
    """

    path: str
    content: bytes
    format: str
    rules: Rules
    session: int = 0
    group: Group | None = None

    @property
    def name(self) -> str:
        return self.path or f"final message of session {self.session}"


def subjects(task: Task, evidence: Evidence, others: Sequence[Evidence] = ()) -> Iterator[Subject]:
    """`others`: what other right answers left, for what they agree on."""
    files = evidence.snapshot.files
    contract = {output.path: output for output in task.outputs}
    checked = dict.fromkeys(path for check in task.checks for path in paths_in(check, files))
    asked = dict.fromkeys([*contract, *checked])
    changed = [path for path, body in files.items() if task.inputs.get(path) != body]
    for path in dict.fromkeys([*asked, *changed]):
        content = files.get(path)
        if not content or task.inputs.get(path) == content or len(content) > BYTES:
            continue
        if path not in asked and matches(path, MEMORY):
            continue
        output = contract.get(path)
        format = format_of(path, output.format if output else "")
        if format not in MAKERS:
            format = format_of(path)
        if format not in MAKERS:
            continue
        group: Group | None = None
        if format in PROGRAMS:
            group = "program"
        elif path not in asked:
            group = "edited"
        texts = [_text(other.snapshot.files.get(path), format) for other in others]
        rules = _rules(task, path, output, [text for text in texts if text is not None])
        yield Subject(path, content, format, rules, group=group)
    for session in sorted(_sessions_read(task)):
        if session <= len(evidence.messages) and evidence.messages[session - 1].strip():
            said = [other.messages[session - 1] for other in others]
            rules = _rules(task, "", None, [text for text in said if text.strip()], session)
            content = evidence.messages[session - 1].encode(errors="replace")
            yield Subject("", content, "text", rules, session=session)


def paths_of(check: Check) -> list[str]:
    """The workspace files that a check itself looks at (not those that a command leaves), as it
    names them: a path, or a pattern."""
    path = getattr(check.body, "path", None)
    return [path] if isinstance(path, str) and not path.startswith("@") else []


def paths_in(check: Check, files: Collection[str]) -> list[str]:
    """Those of `files` that a check looks at, its pattern expanded."""
    found = []
    for path in paths_of(check):
        found += [path] if path in files else sorted(one for one in files if fits(one, path))
    return found


def reads(check: Check, path: str, session: int, sessions: int) -> bool:
    """Whether a check looks at this file, or at the final message of this session."""
    if session:
        return (
            check.kind == "message" and (getattr(check.body, "session", 0) or sessions) == session
        )
    return any(path == one or fits(path, one) for one in paths_of(check))


def _sessions_read(task: Task) -> set[int]:
    last = len(task.sessions)
    found = {
        getattr(check.body, "session", None) or last
        for check in task.checks
        if check.kind == "message"
    }
    return found | ({last} if any(criterion.message for criterion in task.rubric) else set())


def _text(content: bytes | None, format: str) -> str | None:
    """The words of another right answer; for office files those of all their parts."""
    if content is None or format not in PROSE:
        return None
    if format == "docx":
        from clawgym_bench.checks.readable import readable_text

        return readable_text("other.docx", content)
    return content.decode("utf-8", errors="replace")


def _rules(
    task: Task, path: str, output: Output | None, others: Sequence[str], session: int = 0
) -> Rules:
    bodies = [
        check.body for check in task.checks if reads(check, path, session, len(task.sessions))
    ]
    fields = [*(output.columns or ()), *(output.keys or ())] if output else []
    order = (output.order if output else "") or ""
    decimals: dict[str, int] = {}
    tolerances: dict[str, float] = {}
    if output and output.decimals is not None:
        decimals[""] = output.decimals
    for body in bodies:
        for model in _models(body):
            _named(decimals, getattr(model, "decimals", None))
            _named(tolerances, getattr(model, "tolerance", None))
            sorted_by = getattr(model, "sorted_by", None) or []
            if not order and (sorted_by or getattr(model, "ordered", False) is True):
                order = ", ".join(name.lstrip("-") for name in sorted_by) or "as it was"
    if output and output.decimals is not None:
        # What is asked for in cents may not be off by euros, whatever a check tolerates.
        most = 0.5 * 10.0**-output.decimals
        tolerances = {name: min(one, most) for name, one in tolerances.items()}
    facts = [
        (model.value, model.decimals)
        for body in bodies
        for model in _models(body)
        if isinstance(model, Fact) and model.decimals is not None
    ]
    return Rules(
        fields=frozenset(map(heading, fields)),
        order=order,
        decimals=decimals,
        tolerances=tolerances,
        facts=facts,
        others=others,
    )


def _models(value: object) -> Iterator[BaseModel]:
    """A model and all models inside it, facts aside (their rounding is their own)."""
    if isinstance(value, BaseModel):
        yield value
        for inner in vars(value).values():
            yield from _models(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _models(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _models(inner)


def _named(known: dict[str, int] | dict[str, float], declared: object) -> None:
    """Adds what a check declares: one number for all fields, or one for each by name."""
    named = declared if isinstance(declared, dict) else {"": declared}
    for name, value in named.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            key = heading(str(name).rpartition(".")[2])
            known.setdefault(key, value)  # type: ignore[arg-type]
