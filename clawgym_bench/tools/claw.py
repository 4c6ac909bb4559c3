"""The Claw tools of one sample."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clawgym_bench.sandbox.protocol import Sandbox
from clawgym_bench.tools.background import BackgroundSessions
from clawgym_bench.tools.browsing import fetch_page, search_web
from clawgym_bench.tools.limits import DEFAULT_LIMITS, ToolLimits
from clawgym_bench.tools.memory import get_memory, search_memory
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.parameters import CLAW_TOOLS, WEB_TOOLS, Replacement
from clawgym_bench.tools.patch_apply import apply_patch
from clawgym_bench.tools.paths import Paths
from clawgym_bench.tools.reading import list_directory, read_text
from clawgym_bench.tools.schema import parse_arguments
from clawgym_bench.tools.shell import run_command
from clawgym_bench.tools.web import WebPages
from clawgym_bench.tools.writing import edit_text, write_text


class ClawTools:
    """Tools by OpenClaw's names and parameters, over any `Sandbox`.

    Make one per sandbox: it remembers the background sessions. Every tool returns text for the
    model, and raises `ToolMisuse` when the call cannot be done as asked. Errors of the sandbox
    (`SandboxLost`, `InfrastructureError`) pass through. What the parameters mean is described in
    `clawgym_bench.tools.parameters`.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        web: WebPages | None = None,
        limits: ToolLimits = DEFAULT_LIMITS,
    ) -> None:
        self.limits = limits
        self._sandbox = sandbox
        self._web = web
        self._paths = Paths(sandbox)
        self._sessions = BackgroundSessions(sandbox, limits)

    @property
    def names(self) -> Sequence[str]:
        """The tools that do something here: the web tools only with recorded pages."""
        return (*CLAW_TOOLS, *WEB_TOOLS) if self._web else CLAW_TOOLS

    async def read(self, path: str, offset: int | None = None, limit: int | None = None) -> str:
        return await read_text(self._paths, self.limits, path, offset, limit)

    async def write(self, path: str, content: str) -> str:
        return await write_text(self._sandbox, self._paths, path, content)

    async def edit(self, path: str, edits: Sequence[Replacement | Mapping[str, str]]) -> str:
        replacements = [
            edit if isinstance(edit, Replacement) else Replacement.model_validate(edit)
            for edit in edits
        ]
        return await edit_text(self._sandbox, self._paths, path, replacements)

    async def apply_patch(self, input: str) -> str:
        return await apply_patch(self._sandbox, self._paths, input)

    async def ls(self, path: str | None = None, limit: int | None = None) -> str:
        return await list_directory(self._sandbox, self._paths, self.limits, path, limit)

    async def exec(
        self,
        command: str,
        workdir: str | None = None,
        env: Mapping[str, str] | None = None,
        yieldMs: int | None = None,
        background: bool | None = None,
        timeoutSeconds: int | None = None,
    ) -> str:
        return await run_command(
            self._sandbox,
            self._paths,
            self._sessions,
            self.limits,
            command=command,
            workdir=workdir,
            env=env,
            yield_ms=yieldMs,
            background=bool(background),
            timeout_seconds=timeoutSeconds,
        )

    async def process(
        self,
        action: str,
        sessionId: str | None = None,
        data: str | None = None,
        eof: bool | None = None,
        offset: int | None = None,
        limit: int | None = None,
        timeout: int | None = None,  # noqa: ASYNC109 (OpenClaw's name)
    ) -> str:
        sessions = self._sessions
        match action:
            case "list":
                return await sessions.listed()
            case "poll":
                return await sessions.poll(sessionId, timeout or 0)
            case "log":
                return await sessions.log(sessionId, offset, limit)
            case "write":
                return await sessions.write(sessionId, data or "", bool(eof))
            case "kill":
                return await sessions.kill(sessionId)
        raise ToolMisuse(f"There is no action {action!r}; use list, poll, log, write or kill.")

    async def memory_search(
        self, query: str, maxResults: int | None = None, minScore: float | None = None
    ) -> str:
        return await search_memory(self._sandbox, self.limits, query, maxResults, minScore)

    async def memory_get(
        self, path: str, from_: int | None = None, lines: int | None = None
    ) -> str:
        return await get_memory(self._paths, self.limits, path, from_, lines)

    async def web_search(self, query: str, count: int | None = None) -> str:
        return search_web(self._pages(), self.limits, query, count)

    async def web_fetch(
        self, url: str, extractMode: str | None = None, maxChars: int | None = None
    ) -> str:
        return fetch_page(self._pages(), self.limits, url, extractMode, maxChars)

    def _pages(self) -> WebPages:
        if self._web is None:
            raise ToolMisuse("There is no web here: this task has no recorded pages.")
        return self._web


@dataclass(frozen=True)
class ToolOutcome:
    """What a model is told after a call; `error` when the call could not be done as asked."""

    text: str
    error: bool = False


async def call(tools: ClawTools, name: str, arguments: Mapping[str, Any]) -> ToolOutcome:
    """Does one call of a model, arguments as it sent them.

    Only the model's own mistakes become an outcome with `error`; whatever else goes wrong is
    raised, as it is not to be told to the model.
    """
    try:
        return ToolOutcome(await invoke(tools, name, arguments))
    except ToolMisuse as misuse:
        return ToolOutcome(str(misuse), error=True)


async def invoke(tools: ClawTools, name: str, arguments: Mapping[str, Any]) -> str:
    """As `call`, but raises `ToolMisuse`."""
    parameters = parse_arguments(name, arguments)
    given = {key: getattr(parameters, key) for key in parameters.model_fields_set}
    text: str = await getattr(tools, name)(**given)
    return text
