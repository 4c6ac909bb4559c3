"""What makes a task consistent: rules over several fields and over its files.

`problems(task)` finds everything at once. Rules that need a sandbox, or a reading of the request,
belong to the audit.
"""

import fnmatch
from collections.abc import Iterator

from clawgym_bench.checks.command import CommandCheck
from clawgym_bench.checks.reward import CHECKER, SCRIPT, RewardCheck
from clawgym_bench.errors import Problem, TaskInvalid
from clawgym_bench.task.model import Task
from clawgym_bench.task.paths import collisions, path_problem
from clawgym_bench.tools.web import WebPages

FOLDERS = (
    "workspace", "arrivals", "expected", "hidden", "solution", "variants", "web", "reward",
)  # fmt: skip
FILE_BYTES = 16 * 2**20
TASK_BYTES = 64 * 2**20
TASK_FILES = 5_000
STEPS = frozenset({"run.sh", "run.py", "message.md"})


def matches(path: str, patterns: list[str]) -> bool:
    """Whether `path` is one of `patterns` (globs; `**` and `*` cross folders)."""
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def problems(task: Task) -> list[Problem]:
    return [
        *_file_problems(task),
        *_reference_problems(task),
        *_check_problems(task),
        *_solution_problems(task),
    ]


def _file_problems(task: Task) -> Iterator[Problem]:
    if len(task.files) > TASK_FILES:
        yield Problem("files", f"{len(task.files)} files, at most {TASK_FILES}")
    total = 0
    for path, file in task.files.items():
        total += len(file.content)
        if problem := path_problem(path):
            yield Problem("files", f"{path!r} {problem}", "rename it")
        if len(file.content) > FILE_BYTES:
            yield Problem("files", f"{path} has {len(file.content)} bytes, at most {FILE_BYTES}")
        if path.split("/")[0] not in FOLDERS or "/" not in path:
            yield Problem(
                "files",
                f"{path} is in no folder that a task uses",
                f"remove it, or put it into one of {', '.join(FOLDERS)}",
            )
    if total > TASK_BYTES:
        yield Problem("files", f"{total} bytes in all, at most {TASK_BYTES}", "make them smaller")
    for first, second in collisions(task.files):
        yield Problem("files", f"{first} and {second} collide on some file systems", "rename one")


def _reference_problems(task: Task) -> Iterator[Problem]:
    named = {
        session.arrivals.rstrip("/") for session in task.sessions if session.arrivals is not None
    }
    for number, session in enumerate(task.sessions, 1):
        where = f"sessions[{number}].arrivals"
        if session.arrivals is None:
            continue
        if not session.arrivals.startswith("arrivals/"):
            yield Problem(where, f"{session.arrivals} is not below arrivals/", "move it there")
        elif not task.arrivals(number):
            yield Problem(where, f"{session.arrivals} holds no files", "add files or remove it")
    for path in task.files:
        if path.startswith("arrivals/") and "/".join(path.split("/")[:2]) not in named:
            yield Problem("sessions", f"no session has the arrivals {path}", "name its folder")
    for index, output in enumerate(task.outputs):
        if output.session is not None and output.session > len(task.sessions):
            yield Problem(f"outputs[{index}].session", f"there is no session {output.session}")
    given = task.inputs
    for index, pattern in enumerate(task.editable):
        if not any(matches(path, [pattern]) for path in given):
            yield Problem(f"editable[{index}]", f"no input matches {pattern}", "remove it")
    for index, path in enumerate(task.missing):
        if path in given:
            yield Problem(f"missing[{index}]", f"{path} exists", "remove it here or there")
    if task.weights is not None and task.weights.rubric > 0 and not task.rubric:
        yield Problem("weights.rubric", "there is no rubric", "add `rubric` or remove `weights`")
    if task.rubric and task.shares.rubric == 0:
        yield Problem("rubric", "it has no weight", "give weights.rubric more than 0")


def _check_problems(task: Task) -> Iterator[Problem]:
    imported = task.provenance.kind == "imported"
    earning = [check for check in task.checks if not check.gate]
    if not earning and not imported:
        yield Problem("checks", "no check can earn", "add one that is not a gate")
    for what, ids in (
        ("checks", [check.id for check in task.checks]),
        ("rubric", [criterion.id for criterion in task.rubric]),
    ):
        for duplicate in sorted({name for name in ids if ids.count(name) > 1}):
            yield Problem(what, f"the id {duplicate} is used twice", "rename one")
    used: set[str] = set()
    for check in task.checks:
        where = f"checks[{check.id}]"
        if isinstance(check.body, RewardCheck):
            used |= {path for path in task.files if path.startswith("reward/")}
            if not {SCRIPT, CHECKER} & set(task.files):
                yield Problem(where, f"neither {SCRIPT} nor {CHECKER} exists")
            continue
        for path in sorted(check.body.hidden_files()):
            used.add(path)
            if path not in task.files:
                yield Problem(where, f"the file {path} does not exist", "add it or correct it")
            elif not path.startswith(("expected/", "hidden/")):
                yield Problem(where, f"{path} is not below expected/ or hidden/", "move it there")
        if (
            isinstance(check.body, CommandCheck)
            and check.body.seconds > task.limits.grading_seconds
        ):
            yield Problem(where, "its time limit is above limits.grading_seconds", "raise that one")
    for path in sorted(task.files):
        if path.startswith(("expected/", "hidden/", "reward/")) and path not in used:
            yield Problem("files", f"no check reads {path}", "remove it or use it in a check")
    if any(path.startswith("web/") for path in task.files):
        yield from _web_problems(task)


def _web_problems(task: Task) -> Iterator[Problem]:
    try:
        WebPages.load({path: file.content for path, file in task.tree("web").items()})
    except TaskInvalid as error:
        yield from error.problems


def _solution_problems(task: Task) -> Iterator[Problem]:
    roots: dict[str, dict[str, str]] = {}
    for path in task.files:
        parts = path.split("/")
        if parts[0] == "solution":
            roots.setdefault("solution", {})["/".join(parts[1:])] = path
        elif parts[0] == "variants":
            if len(parts) < 3:
                yield Problem("variants", f"{path} is in no variant's folder", "make a folder")
                continue
            roots.setdefault("/".join(parts[:2]), {})["/".join(parts[2:])] = path
    for root, tree in roots.items():
        numbered = {path.split("/")[0] for path in tree if path.split("/")[0].isdigit()}
        for path in tree:
            first, _, rest = path.partition("/")
            inner = rest if first.isdigit() else path
            if first.isdigit() and not 1 <= int(first) <= len(task.sessions):
                yield Problem(root, f"there is no session {first}", "rename the folder")
            elif not first.isdigit() and numbered:
                yield Problem(root, f"{path} stands beside folders per session", "move it into one")
            elif inner not in STEPS and not inner.startswith("files/"):
                yield Problem(
                    root,
                    f"{path} is not part of a reference",
                    "use files/..., run.sh, run.py or message.md",
                )
