"""Background sessions: what `exec` starts and `process` looks after.

Everything happens in `background.sh`, run by plain `Sandbox.exec` calls, so that any sandbox can
do it. What the script reports comes from files that the agent could change: it is parsed with
care and only ever shown.
"""

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from clawgym_bench.errors import InfrastructureError
from clawgym_bench.sandbox.protocol import ExecResult, Sandbox
from clawgym_bench.tools.limits import ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.output import clock, cut_middle, decoded, with_notes

SCRIPT = files("clawgym_bench.tools").joinpath("background.sh").read_text("utf-8")
WRITE_SECONDS = 5
LOG_BYTES = 4 * 2**20


@dataclass
class Session:
    """A command in the background. `seen` counts the bytes of its log already given out."""

    id: str
    command: str
    folder: str
    seconds: int
    started: float = field(default_factory=time.monotonic)
    seen: int = 0
    closed: bool = False


@dataclass(frozen=True)
class State:
    """What the script says: running, exited (with code and reason), lost or gone."""

    word: str
    code: str
    reason: str
    size: int

    @property
    def ended(self) -> bool:
        return self.word != "running"


class BackgroundSessions:
    """The background commands of one sandbox."""

    def __init__(self, sandbox: Sandbox, limits: ToolLimits) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._root = f"/tmp/.claw-{secrets.token_hex(4)}"
        self._sessions: dict[str, Session] = {}

    async def start(
        self, command: str, directory: str, env: Mapping[str, str], *, seconds: int, wait: float
    ) -> str:
        """Starts a command (`seconds` 0: no limit) and gives what it prints within `wait`."""
        name = f"s{len(self._sessions) + 1}"
        session = Session(name, command, f"{self._root}/{name}", seconds)
        result = await self._script(
            session,
            ["start", directory, str(seconds or "infinity"), f"{wait:.3f}" if wait else "0"],
            stdin=command.encode(),
            env=env,
            seconds=wait + 60,
        )
        if not result.ok:
            reason = decoded(result.stderr).strip().rpartition(": ")[2]
            raise ToolMisuse(f"The command cannot be started in {directory}: {reason}.")
        self._sessions[name] = session
        life = f"at most {clock(seconds)}" if seconds else "without time limit"
        note = f"in the background as sessionId {name}, {life}; use process to poll or kill"
        if not wait:
            # Whether it printed or even ended by now is chance: poll tells.
            return f"[started {note}]"
        state = _parse_state(result)
        output = await self._new_output(session, state)
        if state.ended:
            return with_notes(output, _ending(state, session))
        return with_notes(output, [f"running {note}"])

    async def listed(self) -> str:
        if not self._sessions:
            return "There are no background sessions."
        sessions = list(self._sessions.values())
        states = await asyncio.gather(*(self._state(session) for session in sessions))
        lines = [
            f"{session.id} {_status(state, session)}: {_short(session.command)}"
            for session, state in zip(sessions, states, strict=True)
        ]
        return "\n".join(lines)

    async def poll(self, session_id: str | None, timeout_ms: int) -> str:
        session = self._find(session_id)
        wait = min(timeout_ms / 1_000, self._limits.poll_seconds)
        state = await self._state(session, wait)
        output = await self._new_output(session, state)
        return with_notes(output or "(no new output)", [f"{session.id} {_status(state, session)}"])

    async def log(self, session_id: str | None, offset: int | None, limit: int | None) -> str:
        session = self._find(session_id)
        state = await self._state(session)
        start = max(state.size - LOG_BYTES, 0) if offset is None else 0
        data, cut = await self._output(session, start, min(state.size, LOG_BYTES))
        lines = data.decode("utf-8", "surrogateescape").splitlines()
        if offset is None:
            first = max(len(lines) - (limit or self._limits.log_lines), 0)
        else:
            first = max(offset - 1, 0)
            if first >= len(lines):
                raise ToolMisuse(f"offset {offset} is beyond the end: {len(lines)} lines so far.")
        last = min(first + limit, len(lines)) if limit else len(lines)
        chosen = "\n".join(lines[first:last]).encode("utf-8", "surrogateescape")
        notes = [f"{session.id} {_status(state, session)}"]
        if last - first < len(lines):
            notes.insert(0, f"lines {first + 1}-{last} of {len(lines)}")
        if state.size > LOG_BYTES or cut:
            notes.insert(0, f"the log has {state.size:,} bytes; a part of it was looked at")
        return with_notes(cut_middle(chosen, self._limits.output_bytes) or "(no output)", notes)

    async def write(self, session_id: str | None, data: str, eof: bool) -> str:
        session = self._find(session_id)
        if session.closed:
            raise ToolMisuse(f"Standard input of {session.id} was closed earlier with eof.")
        result = await self._script(
            session, ["write", "1" if eof else "0"], stdin=data.encode(), seconds=WRITE_SECONDS
        )
        if result.timed_out:
            raise ToolMisuse(
                f"{session.id} does not read its standard input; part of the text may have "
                "reached it."
            )
        if not result.ok:
            state = await self._state(session)
            raise ToolMisuse(
                f"{session.id} takes no more input: it {_status(state, session)}."
                if state.ended
                else f"{session.id} has closed its standard input."
            )
        session.closed = eof
        closed = " and closed its standard input" if eof else ""
        return f"Wrote {len(data.encode()):,} bytes to {session.id}{closed}."

    async def kill(self, session_id: str | None) -> str:
        session = self._find(session_id)
        before = await self._state(session)
        if before.ended:
            return with_notes("", [f"{session.id} {_status(before, session)}"])
        state = _parse_state(await self._script(session, ["kill"], seconds=60))
        output = await self._new_output(session, state)
        return with_notes(output, [f"{session.id} {_status(state, session)}"])

    def _find(self, session_id: str | None) -> Session:
        known = ", ".join(self._sessions) or "none"
        if not session_id:
            raise ToolMisuse(f"sessionId is missing. Sessions: {known}.")
        session = self._sessions.get(session_id.strip())
        if session is None:
            raise ToolMisuse(f"There is no session {session_id!r}. Sessions: {known}.")
        return session

    async def _state(self, session: Session, wait: float = 0) -> State:
        arguments = ["state", f"{wait:.3f}" if wait else "0"]
        return _parse_state(await self._script(session, arguments, seconds=wait + 60))

    async def _new_output(self, session: Session, state: State) -> str:
        if state.size <= session.seen:
            return ""
        data, cut = await self._output(session, session.seen, state.size - session.seen)
        session.seen = state.size
        return cut_middle(data, self._limits.output_bytes, already_cut=cut)

    async def _output(self, session: Session, start: int, size: int) -> tuple[bytes, int]:
        result = await self._script(
            session, ["output", str(start), str(size)], output_limit=LOG_BYTES + 1
        )
        return result.stdout, result.stdout_cut

    async def _script(
        self,
        session: Session,
        arguments: list[str],
        *,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        seconds: float = 60,
        output_limit: int = 256 * 1_024,
    ) -> ExecResult:
        action, *rest = arguments
        result = await self._sandbox.exec(
            ["bash", "-c", SCRIPT, "claw", action, session.folder, *rest],
            stdin=stdin,
            cwd=self._sandbox.workspace,
            env=env,
            timeout=seconds,
            output_limit=output_limit,
        )
        if result.timed_out and action != "write":
            raise InfrastructureError(f"the background script hung at {action!r}")
        return result


def _parse_state(result: ExecResult) -> State:
    parts = decoded(result.stdout).split()
    if len(parts) != 4 or parts[0] not in ("running", "exited", "lost", "gone"):
        return State("lost", "-", "-", 0)
    return State(parts[0], parts[1], parts[2], int(parts[3]) if parts[3].isdecimal() else 0)


def _ending(state: State, session: Session) -> list[str]:
    """Notes about a command that ended while `exec` still waited for it."""
    plain = state.word == "exited" and state.reason == "-"
    if plain and state.code == "0":
        return []
    return [f"exit code {state.code}" if plain else f"the command {_status(state, session)}"]


def _status(state: State, session: Session) -> str:
    if state.word == "running":
        return f"has been running for {clock(time.monotonic() - session.started)}"
    if state.word == "exited":
        how = {"kill": "was killed", "timeout": f"was killed at its limit of {session.seconds} s"}
        return f"{how.get(state.reason, 'ended')}, exit code {state.code}"
    if state.word == "gone":
        return "cannot be found: its folder under /tmp was removed"
    return "ended in an unknown way, without exit code"


def _short(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= 80 else f"{line[:80]}…"
