"""The oracle as a teacher: the same work as the reference, done the way an agent should do it.

It looks around, reads the inputs that the request names, says briefly what it is about to do,
writes a program with `write`, runs it with `exec`, changes files that are there with `edit`, looks
at what came out, and answers. Every call is made for real and every result stands in the log, so
that a trace of it teaches the tools. What it writes is the task's reference solution.
"""

import difflib
import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from clawgym_bench.agents.reference import Act, Script, is_text, put_calls
from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task import Step, Task, reference_steps

READ_AT_MOST = 6
LOOK_AT_MOST = 4
LINES = 60
"""Of a long file, the first so many are read: enough to see its form."""
LONG_BYTES = 6_000
SCRATCH = "/tmp/work"
COMMAND_LINES, COMMAND_CHARACTERS = 4, 400
"""Shell programs up to this size are run as they are, without a file."""

_SHOW_BINARY = {
    "gz": "zcat {path} | head -n 20",
    "zip": "python3 -m zipfile -l {path}",
    "tar": "tar -tf {path}",
    "tgz": "tar -tzf {path}",
    "sqlite": "python3 -c 'import sqlite3, sys; "
    "print(*sqlite3.connect(sys.argv[1]).iterdump(), sep=chr(10))' {path} | head -n 40",
}
_SHOW_BINARY |= dict.fromkeys(("db", "sqlite3"), _SHOW_BINARY["sqlite"])


@runtime_checkable
class Narrates(Protocol):
    """An `Act` that can say something along with its next call."""

    def say(self, text: str) -> None: ...


def demonstration(variant: str | None = None) -> Script:
    """The script of the teacher; `variant`: one of the other right answers."""

    async def play(task: Task, session: int, act: Act) -> str:
        steps = reference_steps(task, variant)[session - 1]
        await _look_around(task, session, act)
        message = ""
        known = _known(task, session, variant)
        for number, step in enumerate(steps):
            await _carry_out(f"{SCRATCH}-{session}-{number + 1}", step, known, act)
            known = _after(known, step)
            message = step.message or message
        await _look_at_results(task, session, steps, act)
        return message or "Done."

    return play


# Looking


async def _look_around(task: Task, session: int, act: Act) -> None:
    _say(act, "I'll look at what is in the workspace first.")
    await act("ls", {"path": "."})
    wanted = _wanted(task, session)
    if wanted:
        named = ", ".join(wanted[:3]) + (" …" if len(wanted) > 3 else "")
        _say(act, f"Now the inputs: {named}")
    given = _given(task, session)
    for path in wanted:
        file = given[path]
        if is_text(file):
            long = len(file.content) > LONG_BYTES
            await act("read", {"path": path, "limit": LINES} if long else {"path": path})
        elif command := _binary_look(path):
            await act("exec", {"command": command})


def _given(task: Task, session: int) -> dict[str, File]:
    """What lies in the workspace when the session begins, as far as it was given."""
    given = dict(task.workspace)
    for number in range(1, session + 1):
        given |= task.arrivals(number)
    return given


def _wanted(task: Task, session: int) -> list[str]:
    """The inputs that the request names, by path, name or folder, in the order of their naming;
    what arrived with the session comes first, and all inputs when it names none."""
    request = task.sessions[session - 1].instruction
    given = _given(task, session)
    arrived = list(task.arrivals(session)) if session > 1 else []
    places: dict[str, int] = {}
    for path in given:
        at = request.find(path)
        at = at if at >= 0 else request.find(posixpath.basename(path))
        folder = posixpath.dirname(path)
        if at < 0 and folder:
            at = request.find(folder + "/")
        if at >= 0:
            places[path] = at
    named = sorted(places, key=lambda path: (places[path], path))
    found = list(dict.fromkeys([*arrived, *named])) or list(given)
    return [path for path in found if is_text(given[path]) or _binary_look(path)][:READ_AT_MOST]


def _binary_look(path: str) -> str:
    template = _SHOW_BINARY.get(path.rsplit(".", 1)[-1].lower(), "")
    return template.format(path=shlex.quote(path)) if template else ""


# Doing


def _known(task: Task, session: int, variant: str | None) -> dict[str, File]:
    """Files whose content is known when session `session` begins."""
    known: dict[str, File] = {}
    for number, steps in enumerate(reference_steps(task, variant)[:session], 1):
        known |= task.workspace if number == 1 else {}
        known |= task.arrivals(number)
        if number < session:
            for step in steps:
                known = _after(known, step)
    return known


def _after(known: Mapping[str, File], step: Step) -> dict[str, File]:
    """Without the files that the step's program may have changed: those whose name it holds."""
    left = {**known, **step.files}
    if not step.script:
        return left
    return {p: file for p, file in left.items() if posixpath.basename(p) not in step.script}


async def _carry_out(scratch: str, step: Step, known: Mapping[str, File], act: Act) -> None:
    for path, file in step.files.items():
        for name, arguments in _file_calls(path, file, known.get(path)):
            if name in ("write", "edit"):
                _say(act, f"I'll {'change' if name == 'edit' else 'write'} {path}.")
            await act(name, arguments)
    if step.script:
        await _run(step, scratch, act)


async def _run(step: Step, place: str, act: Act) -> None:
    """Writes the program beside the workspace, which must hold nothing that was not asked for."""
    python = step.interpreter == "python3"
    script = step.script.strip()
    if not python and len(script) <= COMMAND_CHARACTERS and script.count("\n") < COMMAND_LINES:
        _say(act, "A short command does this.")
        await act("exec", {"command": script})
        return
    path = f"{place}.{'py' if python else 'sh'}"
    what = "works this out from the files" if python else "does the rest"
    _say(act, f"I'll write a script that {what}.")
    await act("write", {"path": path, "content": step.script.rstrip() + "\n"})
    _say(act, "Now I run it.")
    await act("exec", {"command": f"python3 -P {path}" if python else f"bash {path}"})


def _file_calls(
    path: str, file: File, before: File | None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """An `edit` where a text file is there already and little changes, else a new file."""
    edits = _edits(before, file) if before is not None else None
    if edits:
        yield "edit", {"path": path, "edits": edits}
        if (file.mode or 0) & 0o100 and not ((before and before.mode) or 0) & 0o100:
            yield "exec", {"command": f"chmod +x {shlex.quote(path)}"}
    else:
        yield from put_calls(path, file)


def _edits(before: File, after: File) -> list[dict[str, str]] | None:
    """Replacements whose old text occurs once; None where writing anew is plainer."""
    if not (is_text(before) and is_text(after)) or b"\r" in before.content + after.content:
        return None
    old, new = before.content.decode(), after.content.decode()
    old_lines, new_lines = old.splitlines(True), new.splitlines(True)
    matcher = difflib.SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    edits: list[dict[str, str]] = []
    changed = reached = 0
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag == "equal":
            continue
        start, end = first, last
        while (start == end or old.count("".join(old_lines[start:end])) != 1) and (
            start > reached or end < len(old_lines)
        ):
            start, end = max(reached, start - 1), min(len(old_lines), end + 1)
        text = "".join(old_lines[start:end])
        if not text or old.count(text) != 1 or start < reached:
            return None
        lead = "".join(old_lines[start:first])
        tail = "".join(old_lines[last:end])
        edits.append(
            {"oldText": text, "newText": lead + "".join(new_lines[new_first:new_last]) + tail}
        )
        changed += end - start
        reached = end
    made = old
    for edit in edits:
        made = made.replace(edit["oldText"], edit["newText"], 1)
    if made != new or changed > len(old_lines) / 2:
        return None
    return edits


# Checking


async def _look_at_results(task: Task, session: int, steps: Sequence[Step], act: Act) -> None:
    last = len(task.sessions)
    due = [out for out in task.outputs if (out.session or last) == session]
    paths = [out.path.rstrip("/") for out in due]
    if not paths or not any(step.files or step.script for step in steps):
        return
    _say(act, "Let me check what I wrote.")
    quoted = " ".join(shlex.quote(path) for path in paths)
    await act("exec", {"command": f"ls -ld {quoted}"})
    shown = [out for out in due if out.format not in BINARY_FORMATS and "*" not in out.path]
    for out in [out for out in shown if not out.path.endswith("/")][:LOOK_AT_MOST]:
        await act("read", {"path": out.path, "limit": LINES})


BINARY_FORMATS = frozenset({"xlsx", "docx", "pdf", "zip", "sqlite", "tar", "gz", "folder", "png"})


def _say(act: Act, text: str) -> None:
    if isinstance(act, Narrates):
        act.say(text)
