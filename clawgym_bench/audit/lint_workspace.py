"""Rules of *lint* on files that the agent is given: no answer, no leftovers, no collisions."""

import re
from collections.abc import Iterator, Mapping

from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_paths import names_file
from clawgym_bench.audit.lint_reading import Reading, words
from clawgym_bench.checks.compare import as_number, normal
from clawgym_bench.checks.documents import format_of as document_format
from clawgym_bench.checks.documents import load
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.table_files import format_of as table_format
from clawgym_bench.checks.table_files import heading, read_table
from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task.rules import matches

LEFTOVERS = frozenset(
    words(
        ".git .hg .svn __pycache__ .pytest_cache .mypy_cache .ruff_cache .ipynb_checkpoints .idea "
        ".vscode .venv venv node_modules .tox .cache .ds_store thumbs.db desktop.ini .coverage "
        "__macosx .env.local .bash_history .python_history"
    )
)
LEFTOVER_SUFFIXES = (".pyc", ".pyo", ".swp", ".swo", "~", ".orig", ".rej", ".tmp.bak")
CONFIGURATION = frozenset(
    words(
        ".gitignore .gitattributes .gitkeep .editorconfig .env .env.example .htaccess .npmrc "
        ".prettierrc .eslintrc .eslintrc.json .dockerignore .flake8 .pylintrc .openclaw .github"
    )
)
_ANSWER = re.compile(
    r"^(?:(?:the|my|final|correct|reference|model)[-_ ]?)?(?:answers?|answer[-_ ]?keys?|solutions?"
    r"|solved|expected(?:[-_ ](?:outputs?|results?|answers?))?|ground[-_ ]?truths?|gold(?:en)?"
    r"(?:[-_ ]\w+)?|oracles?|reference[-_ ]?(?:solution|answer|output)s?|(?:grader?s?|graders?"
    r"|checkers?|verifiers?|verify|rubrics?|rewards?|hidden[-_ ]?tests?|test[-_ ]?oracle))$",
    re.I,
)
_GENERATOR = re.compile(
    r"^(?:gen(?:erate|erator)?|make|build|create|seed|prepare)[-_ ]?(?:the[-_ ])?(?:tasks?|data"
    r"|dataset|fixtures?|workspaces?|inputs?|mocks?|files|world|scenario)(?:[-_ ]\w+)?$"
    r"|^(?:task|data|fixture|workspace|mock)[-_ ]?gen(?:erator)?$",
    re.I,
)
_SCRIPTS = (".py", ".sh", ".js", ".ts", ".rb", ".ipynb", ".pl")
TRIVIAL = 24
"""Characters. Two files of fewer are equal by chance."""
COMPARED_BYTES = 2**20
CROWD = 2_000


def leftovers(reading: Reading) -> Iterator[Finding]:
    """Caches, version control, editors' files, dot files without a reason."""
    for path in _given(reading):
        parts = path.split("/")
        rest = next((part for part in parts if part.casefold() in LEFTOVERS), None)
        if rest is not None or path.casefold().endswith(LEFTOVER_SUFFIXES):
            yield Finding("error", f"{rest or parts[-1]} is a leftover", "remove it", file=path)
            continue
        dotted = next((part for part in parts if part.startswith(".")), None)
        if dotted is None or dotted.casefold() in CONFIGURATION or names_file(reading, path):
            continue
        evidence = f"{dotted} is hidden, and neither a request nor an input speaks of it"
        yield Finding("warning", evidence, "remove it, or give it a reason", file=path)


def answers_by_name(reading: Reading) -> Iterator[Finding]:
    """Files that are called an answer, a checker or the generator of the task."""
    for path, file in _given(reading).items():
        parts = path.split("/")
        stems = [*parts[:-1], parts[-1].split(".")[0]]
        answer = next((stem for stem in stems if _ANSWER.match(stem)), None)
        generator = _GENERATOR.match(stems[-1]) and path.casefold().endswith(_SCRIPTS)
        if answer is not None or generator:
            what = f"is called {answer!r}" if answer else "looks like the generator of the inputs"
            if _spoken_of(reading, path, answer):
                yield Finding("note", f"{path} {what}, and the task speaks of it", file=path)
            else:
                remedy = "take it out of what the agent is given"
                yield Finding("error", f"{path} {what}", remedy, file=path)
        elif path.casefold().endswith(_SCRIPTS) and (told := _tells(reading, file)):
            remedy = "take it out of what the agent is given"
            yield Finding("error", f"{path} speaks of {told}", remedy, file=path)


def _spoken_of(reading: Reading, path: str, folder: str | None) -> bool:
    """By its path; by its name only where the name and not a folder above is suspicious."""
    named = path.split("/")[:-1]
    if folder in named:
        upper = "/".join(named[: named.index(folder) + 1])
        texts = [reading.request, *(text for one, text in reading.inputs.items() if one != path)]
        return any(f"{upper}/" in text for text in texts)
    return names_file(reading, path)


def _tells(reading: Reading, file: File) -> str | None:
    """A file of the task itself of which a script in the workspace speaks."""
    text = file.content[:COMPARED_BYTES].decode("utf-8", errors="replace")
    kept = [path for path in reading.task.files if path.startswith(("expected/", "reward/"))]
    inside = {f"{folder}/{path}" for path in reading.task.inputs for folder in ("workspace",)}
    named = [path for path in [*kept, *sorted(inside)] if path in text]
    return named[0] if named else None


def answers_by_content(reading: Reading) -> Iterator[Finding]:
    """An expected file, or an output of the reference, that already lies in the workspace."""
    task = reading.task
    outputs = {output.path for output in task.outputs}
    secret = {path: file for path, file in task.files.items() if path.startswith("expected/")}
    for path, file in task.tree("solution").items():
        target = path.split("files/", 1)[1] if "files/" in path else ""
        if target in outputs:
            secret[f"solution/{path}"] = file
    given = _given(reading)
    same = _Same()
    for path, file in secret.items():
        if len(file.content.split()) == 0 or len(b"".join(file.content.split())) < TRIVIAL:
            continue
        for other, candidate in given.items():
            if same(path, file.content, other, candidate.content):
                yield Finding(
                    "error",
                    f"{other} has the content of {path}",
                    "take it out of what the agent is given",
                    file=other,
                )


class _Same:
    """Whether two files say the same; what each says is made out once."""

    def __init__(self) -> None:
        self.known: dict[str, object] = {}

    def __call__(self, path: str, content: bytes, other: str, candidate: bytes) -> bool:
        if content == candidate:
            return True
        if not candidate or not 0.4 < len(content) / len(candidate) < 2.5:
            return False
        if max(len(content), len(candidate)) > COMPARED_BYTES:
            return False
        value = self.value(f"kept {path}", path, content)
        return value is not None and value == self.value(f"given {other}", other, candidate)

    def value(self, key: str, path: str, content: bytes) -> object:
        if key not in self.known:
            self.known[key] = _value(path, content)
        return self.known[key]


def _value(path: str, content: bytes) -> object:
    """What a table, a document or a text says, whatever its form; None when it is neither."""
    try:
        if kind := table_format(path):
            table = read_table(content, kind)
            order = sorted(range(len(table.columns)), key=lambda at: heading(table.columns[at]))
            names = tuple(heading(table.columns[at]) for at in order)
            rows = [tuple(_scalar(row[at]) for at in order) for row in table.rows]
            return (names, tuple(sorted(rows, key=repr)))
    except Refused:
        pass
    try:
        if document := document_format(path):
            return _frozen(load(content, document))
        return " ".join(content.decode("utf-8-sig").split())
    except (Refused, UnicodeDecodeError):
        return None


def _frozen(value: object) -> object:
    if isinstance(value, dict):
        return tuple(sorted((str(name), repr(_frozen(inner))) for name, inner in value.items()))
    if isinstance(value, list):
        return tuple(_frozen(inner) for inner in value)
    return _scalar(value)


def _scalar(value: object) -> object:
    number = as_number(value)
    return str(number.normalize()) if number is not None else normal(str(value))


def outputs(reading: Reading) -> Iterator[Finding]:
    """What is to be made is not there already, unless it is to be changed."""
    task = reading.task
    given = task.inputs
    seen: set[tuple[str, int]] = set()
    for output in task.outputs:
        key = (output.path, output.session or len(task.sessions))
        if key in seen:
            yield Finding(
                "error", f"the contract has {output.path} twice in a session", "join the two",
                file="task.yaml",
            )  # fmt: skip
        seen.add(key)
        if output.path in given and not matches(output.path, task.editable):
            yield Finding(
                "error",
                f"{output.path} is to be delivered and is an input that must stay as it is",
                "deliver to another path, or list it in `editable`",
                file="task.yaml",
            )
        crossing = next(
            (
                p
                for p in given
                if p.startswith(output.path + "/") or output.path.startswith(p + "/")
            ),
            None,
        )
        if crossing is not None:
            evidence = f"{output.path} cannot be made: {crossing} is there"
            yield Finding("error", evidence, "choose another path", file="task.yaml")


def sizes(reading: Reading) -> Iterator[Finding]:
    """What is given fits the sandbox with room for the work."""
    task = reading.task
    given = _given(reading)
    total = sum(len(file.content) for file in given.values())
    room = task.limits.disk_mb * 2**20
    if total > room // 2:
        yield Finding(
            "error",
            f"the inputs have {total:,} bytes, more than half of limits.disk_mb ({room:,})",
            "raise the limit or make them smaller",
            file="task.yaml",
        )
    if len(given) > CROWD:
        evidence = f"{len(given)} input files, more than {CROWD}"
        yield Finding("warning", evidence, "fewer, or one archive")
    for number, text in enumerate(reading.requests, 1):
        if len(text) > 20_000:
            yield Finding(
                "warning", f"the request of session {number} has {len(text):,} characters"
            )


def _given(reading: Reading) -> Mapping[str, File]:
    task = reading.task
    given = dict(task.workspace)
    for number in range(1, len(task.sessions) + 1):
        given |= task.arrivals(number)
    return given
