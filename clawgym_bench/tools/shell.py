"""`exec`: a command in the foreground, or handed to a background session."""

from collections.abc import Mapping

from clawgym_bench.sandbox.protocol import ExecResult, Sandbox
from clawgym_bench.tools.background import BackgroundSessions
from clawgym_bench.tools.limits import ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.output import clock, cut_middle, with_notes
from clawgym_bench.tools.paths import Paths

# The inner bash has both outputs on one stream, in order; what the outer one says about the
# directory stays apart on stderr.
FOREGROUND = 'cd -- "$2" && exec bash -c "$1" 2>&1'
LONGEST_COMMAND = 120_000
"""Bytes; the kernel refuses a single argument of 128 KB."""

FAULTS = {
    "memory": "the sandbox ran out of memory and killed a process",
    "processes": "the sandbox refused to start more processes",
    "disk": "the sandbox has no disk space left",
}


async def run_command(
    sandbox: Sandbox,
    paths: Paths,
    sessions: BackgroundSessions,
    limits: ToolLimits,
    *,
    command: str,
    workdir: str | None,
    env: Mapping[str, str] | None,
    yield_ms: int | None,
    background: bool,
    timeout_seconds: int | None,
) -> str:
    _require_runnable(command, env or {})
    directory = await paths.resolve(workdir or ".")
    if background or yield_ms is not None:
        seconds = limits.background_seconds if timeout_seconds is None else timeout_seconds
        wait = 0.0 if background else min((yield_ms or 0) / 1_000, limits.exec_max_seconds)
        return await sessions.start(command, directory, env or {}, seconds=seconds, wait=wait)
    asked = limits.exec_seconds if timeout_seconds is None else timeout_seconds
    seconds = min(asked or limits.exec_max_seconds, limits.exec_max_seconds)
    result = await sandbox.exec(
        ["bash", "-c", FOREGROUND, "exec", command, directory],
        cwd=sandbox.workspace,
        env=dict(env or {}),
        timeout=seconds,
    )
    if result.stderr and not result.stdout and result.exit_code == 1:
        raise ToolMisuse(f"workdir {workdir or '.'} cannot be used: {_reason(result.stderr)}.")
    return _report(result, seconds, asked, limits)


def _require_runnable(command: str, env: Mapping[str, str]) -> None:
    if not command.strip():
        raise ToolMisuse("The command is empty.")
    if "\x00" in command or any("\ud800" <= item <= "\udfff" for item in command):
        raise ToolMisuse("The command holds characters that no command line can have.")
    size = len(command.encode())
    if size > LONGEST_COMMAND:
        raise ToolMisuse(
            f"The command is too long ({size:,} bytes, at most {LONGEST_COMMAND:,}). "
            "Put it into a file with write and run that."
        )
    for name, value in env.items():
        if not name or "=" in name or "\x00" in name + value:
            raise ToolMisuse(f"env: {name!r} cannot be set; names have no = and no NUL.")


def _reason(stderr: bytes) -> str:
    return stderr.decode("utf-8", "replace").strip().rpartition(": ")[2] or "unknown reason"


def _report(result: ExecResult, seconds: int, asked: int, limits: ToolLimits) -> str:
    output = cut_middle(result.stdout, limits.output_bytes, already_cut=result.stdout_cut)
    notes = []
    if result.timed_out:
        capped = f" (more than {seconds} cannot be had)" if asked > seconds else ""
        notes.append(
            f"timed out after {seconds} s{capped} and was killed; run what takes long with "
            "background or yieldMs"
        )
    elif result.exit_code:
        notes.append(f"exit code {result.exit_code}")
    if result.fault:
        notes.append(FAULTS.get(result.fault, result.fault))
    if result.seconds >= 10 and not result.timed_out:
        notes.append(f"took {clock(result.seconds)}")
    return with_notes(output, notes)
