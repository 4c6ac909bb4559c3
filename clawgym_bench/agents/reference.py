"""Agents without a model: the oracle, and those that do no work at all.

Each is a script that acts only through the Claw tools, one session at a time. They are run by
Inspect (`clawgym_bench.agents.scripted`) and by the audit, with the same result.

    oracle       the reference solution (or, by `variant`, one of the other right answers)
    noop         does and says nothing
    empty        makes every file of the output contract, empty
    copy         puts the largest input into every file of the contract
    echo         puts the request itself there
    echo_inputs  puts the request and all text inputs there
    stub         makes files that are valid in form and say nothing

The last five know what the agent knows: the request, the contract and the inputs. None may earn.
"""

import base64
import shlex
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from clawgym_bench.agents.stubs import stub_content
from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task import Step, Task, reference_steps

Act = Callable[[str, Mapping[str, Any]], Awaitable[str]]
"""Calls a tool by name with arguments and gives back what the model would see."""

Script = Callable[[Task, int, Act], Awaitable[str]]
"""Plays session N (from 1) of a task through `Act`; returns the final message."""


@runtime_checkable
class Places(Protocol):
    """An `Act` that makes a file at once, where it is known what the tools would leave."""

    def place(self, path: str, file: File) -> None: ...


CONTENT_FREE = ("empty", "copy", "echo", "echo_inputs", "stub")
REFERENCE_AGENTS = ("oracle", "noop", *CONTENT_FREE)
READ_AT_MOST = 6
ECHO_BYTES = 200_000
CHUNK = 64_000


def script(name: str, variant: str | None = None, *, looks: bool = True) -> Script:
    """The script called `name`, one of `REFERENCE_AGENTS`. `looks`: the oracle lists the workspace
    and reads its first files, as an agent would, before it does the work."""
    if name == "oracle":
        return _oracle(variant, looks)
    if name == "noop":
        return _noop
    return _content_free(name)


async def _noop(task: Task, session: int, act: Act) -> str:
    return ""


def _oracle(variant: str | None, looks: bool) -> Script:
    async def play(task: Task, session: int, act: Act) -> str:
        if looks:
            await act("ls", {"path": "."})
            given = task.workspace if session == 1 else task.arrivals(session)
            for path in [path for path, file in given.items() if is_text(file)][:READ_AT_MOST]:
                await act("read", {"path": path})
        message = ""
        for step in reference_steps(task, variant)[session - 1]:
            await _carry_out(step, act)
            message = step.message or message
        return message or "Done."

    return play


async def _carry_out(step: Step, act: Act) -> None:
    for path, file in step.files.items():
        await put_file(path, file, act)
    if step.script:
        flag = " -P" if step.interpreter == "python3" else ""
        mark = "END_OF_SCRIPT"
        command = f"{step.interpreter}{flag} - <<'{mark}'\n{step.script.rstrip()}\n{mark}\n"
        if step.interpreter == "bash":
            command = f"bash -s <<'{mark}'\n{step.script.rstrip()}\n{mark}\n"
        await act("exec", {"command": command})


async def put_file(path: str, file: File, act: Act) -> None:
    """Makes a file through tools: text by `write`, anything else as base64 through `exec`."""
    if isinstance(act, Places):
        act.place(path, file)
        return
    for name, arguments in put_calls(path, file):
        await act(name, arguments)


def put_calls(path: str, file: File) -> Iterator[tuple[str, dict[str, Any]]]:
    """The calls that make a file, by tool and arguments."""
    if is_text(file):
        yield "write", {"path": path, "content": file.content.decode()}
    else:
        encoded = base64.b64encode(file.content).decode()
        target = shlex.quote(path)
        yield "exec", {"command": f'mkdir -p "$(dirname {target})" && : > {target}'}
        for start in range(0, len(encoded), CHUNK):
            part = encoded[start : start + CHUNK]
            yield "exec", {"command": f"echo {part} | base64 -d >> {target}"}
    if (file.mode or 0) & 0o100:
        yield "exec", {"command": f"chmod +x {shlex.quote(path)}"}


def _content_free(name: str) -> Script:
    async def play(task: Task, session: int, act: Act) -> str:
        request = task.request(session)
        for output in task.outputs:
            if (output.session or len(task.sessions)) != session:
                continue
            if name == "empty":
                content = b""
            elif name == "copy":
                content = max(task.inputs.values(), key=len, default=b"")
            elif name == "echo":
                content = request.encode()
            elif name == "echo_inputs":
                content = _request_and_inputs(task, request)
            else:
                content = stub_content(output)
            await put_file(output.path, File(content), act)
        if name == "echo":
            return request
        if name == "echo_inputs":
            return _request_and_inputs(task, request).decode()
        return "" if name == "empty" else "Done. Everything you asked for is complete."

    return play


def _request_and_inputs(task: Task, request: str) -> bytes:
    parts = [request.encode()]
    for path, content in task.inputs.items():
        if is_text(File(content)):
            parts += [f"\n\n# {path}\n\n".encode(), content]
    text = b"".join(parts)[:ECHO_BYTES]
    return text.decode(errors="ignore").encode()


def is_text(file: File) -> bool:
    """Whether it is UTF-8 without NUL."""
    try:
        return "\0" not in file.content.decode("utf-8")
    except UnicodeDecodeError:
        return False
