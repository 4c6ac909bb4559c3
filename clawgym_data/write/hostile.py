"""What no draft may hold: ways out of the workspace, and things that run by themselves.

Nothing of a draft runs on the host whatever it holds, and paths that leave the task are refused
by the task model too. These rules are there so that such a draft ends, with its reason.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from clawgym_bench.checks.artefact import ARTEFACTS
from clawgym_bench.task.paths import path_problem
from clawgym_data.pipeline.stages import Stage
from clawgym_data.write.draft import STAGES, Draft, Unusable

HOOK_NAMES = frozenset(
    (
        "sitecustomize.py", "usercustomize.py", "conftest.py", ".bashrc", ".bash_profile",
        ".bash_login", ".profile", ".zshrc", ".zshenv", ".envrc", ".pythonrc", ".pdbrc",
        ".gdbinit", ".npmrc", ".gitconfig", ".gitmodules",
    )
)  # fmt: skip
"""Files that shells and programs load unasked."""
HOOK_FOLDERS = frozenset((".git", ".githooks", ".husky", ".vscode", ".idea", ".devcontainer"))
HOOK_SUFFIXES = (".pth", ".pyc", ".pyo", ".so", ".dylib", ".dll", ".exe", ".pkl", ".pickle")
RUNNERS: Mapping[str, frozenset[str]] = {
    "python3": frozenset((".py",)),
    "bash": frozenset((".sh",)),
    "sh": frozenset((".sh",)),
    "node": frozenset((".js", ".mjs")),
}
"""What a check may start, and what such a deliverable is called."""
DECLARATIVE = frozenset((*ARTEFACTS, "command"))
CODE_FIELDS = frozenset(
    ("python", "code", "script", "exec", "eval", "shell", "bash", "run", "import", "reward", "hook")
)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def refuse_hostile(draft: Draft) -> None:
    """Raises `Unusable` for the first kind of attack that a draft holds."""
    for field, finding in _escapes(draft):
        raise Unusable(STAGES[field], "hostile: leads outside the workspace", (finding,), True)
    for field, finding in _hooks(draft):
        raise Unusable(STAGES[field], "hostile: runs by itself", (finding,), True)
    for finding in _code(draft.checks, {output.path for output in draft.outputs}):
        raise Unusable(Stage.VERIFICATION, "hostile: code in a check", (finding,), True)


def _paths(draft: Draft) -> Iterator[tuple[str, str]]:
    for field, files in draft.files().items():
        yield from ((field, file.path) for file in files)
    yield from (("outputs", output.path) for output in draft.outputs)
    yield from (("editable", path) for path in draft.editable)
    yield from (("rubric", path) for entry in draft.rubric for path in entry.files)
    for check in draft.checks:
        for body in check.values():
            for key in ("path", "equals", "equals_file"):
                value = body.get(key) if isinstance(body, dict) else None
                if isinstance(value, str) and (key == "path" or value.startswith("expected/")):
                    yield "checks", value


def _escapes(draft: Draft) -> Iterator[tuple[str, str]]:
    for field, path in _paths(draft):
        parts = re.split(r"[/\\]", path)
        if ".." in parts or path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:[/\\]", path):
            yield field, f"{field}: the path {path!r} leads outside the workspace"


def _hooks(draft: Draft) -> Iterator[tuple[str, str]]:
    for field, files in draft.files().items():
        for file in files:
            parts = file.path.casefold().split("/")
            if (
                parts[-1] in HOOK_NAMES
                or HOOK_FOLDERS & set(parts)
                or parts[-1].endswith(HOOK_SUFFIXES)
            ):
                yield field, f"{field}: {file.path} is loaded or run unasked"


def _code(checks: list[dict[str, Any]], outputs: set[str]) -> Iterator[str]:
    """Checks declare. The one kind that runs something runs what the agent was asked to deliver."""
    for number, check in enumerate(checks):
        name = f"checks[{number}]"
        if code := sorted(CODE_FIELDS & {str(key).lower() for key in check}):
            yield f"{name}: {code[0]!r} would bring code into a check"
        command = check.get("command")
        if command is None:
            continue
        run = command.get("run") if isinstance(command, dict) else None
        if not isinstance(run, list) or not all(isinstance(part, str) for part in run):
            yield f"{name}: a command is a list of texts"
            continue
        suffixes = RUNNERS.get(run[0] if run else "")
        delivered = len(run) > 1 and run[1] in outputs
        if suffixes is None or not delivered or not run[1].endswith(tuple(suffixes)):
            shown = " ".join(run)[:120]
            yield f"{name}: `{shown}` does not run a program that the contract asks for"
        cases = command.get("cases")
        files = isinstance(cases, list) and any(
            isinstance(case, dict) and case.get("files") for case in cases
        )
        if command.get("hidden") or files or command.get("cwd", ".") != ".":
            yield f"{name}: a command may bring no files of its own and change no folder"


def file_findings(draft: Draft) -> list[str]:
    """Paths and contents that no task may have, through no ill will."""
    found = []
    for field, files in draft.files().items():
        for file in files:
            if problem := path_problem(file.path):
                found.append(f"{field}: {file.path!r} {problem}")
            if CONTROL.search(file.content):
                found.append(f"{field}: {file.path} holds control characters; write plain text")
    return found
