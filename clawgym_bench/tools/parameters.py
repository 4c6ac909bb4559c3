"""The tools as the model sees them: one class per tool, named as in OpenClaw.

The class docstring is the tool's description, the fields are its parameters. JSON schemas and the
validation of arguments are both derived from here. `{names}` in braces are filled in from
`ToolLimits`.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class ToolParameters(BaseModel):
    """Base of all: unknown names are errors, plain conversions ("5" for 5) are not."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


def _parsed(value: Any) -> Any:
    """Some models send a nested argument as JSON text; a list or object in it is taken as meant."""
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except ValueError:
            return value
        return parsed if isinstance(parsed, list | dict) else value
    return value


class Read(ToolParameters):
    """Read a text file. Gives at most {read_lines} lines or {read_kilobytes} KB; when there is
    more, the answer says which offset to continue with."""

    path: str = Field(description="File to read: relative to the workspace, or absolute")
    offset: int | None = Field(None, ge=0, description="First line to give, counted from 1")
    limit: int | None = Field(None, ge=1, description="Number of lines to give")


class Write(ToolParameters):
    """Write a file. Creates it and its parent directories, or replaces all of its content."""

    path: str = Field(description="File to write: relative to the workspace, or absolute")
    content: str = Field(description="The complete content of the file")


class Replacement(ToolParameters):
    """One replacement of an `edit`."""

    oldText: str = Field(
        description="Text to replace, exactly as it stands in the file; must occur exactly once"
    )
    newText: str = Field(description="Text to put in its place")


class Edit(ToolParameters):
    """Edit a file by replacing exact pieces of text. Every oldText is looked for in the file as it
    was before the call; the pieces must not overlap. Either all replacements are made or none."""

    path: str = Field(description="File to edit: relative to the workspace, or absolute")
    edits: Annotated[list[Replacement], BeforeValidator(_parsed)] = Field(
        min_length=1, description="Replacements to make"
    )


class ApplyPatch(ToolParameters):
    """Change several files with one patch. The patch starts with "*** Begin Patch" and ends with
    "*** End Patch". Between them stand sections: "*** Add File: PATH" followed by lines with "+";
    "*** Delete File: PATH"; "*** Update File: PATH", optionally "*** Move to: PATH", followed by
    hunks. A hunk starts with "@@", optionally with a line of the file above the change after it,
    and has lines with " " (kept), "-" (removed) and "+" (added). Either all of it is applied or
    nothing."""

    input: str = Field(description="The whole patch")


class Ls(ToolParameters):
    """List a directory, hidden names included, sorted; names of directories end with "/"."""

    path: str | None = Field(None, description="Directory to list; the workspace when left out")
    limit: int | None = Field(
        None, ge=1, description="Most entries to give (default {list_entries})"
    )


class Exec(ToolParameters):
    """Run a command with bash in the workspace and give its output (stdout and stderr together)
    and its exit code when that is not 0. Long output keeps its head and tail. There is no network
    and no terminal. For a command that runs long, or a server, use background or yieldMs and look
    after it with the process tool."""

    command: str = Field(description="Command line for bash")
    workdir: str | None = Field(
        None, description="Directory to run in; the workspace when left out"
    )
    env: Annotated[dict[str, str] | None, BeforeValidator(_parsed)] = Field(
        None, description="Environment variables to set"
    )
    yieldMs: int | None = Field(
        None,
        ge=0,
        description="Wait this many milliseconds; if the command still runs then, it continues "
        "in the background and the answer has its sessionId",
    )
    background: bool | None = Field(None, description="Start in the background at once")
    timeoutSeconds: int | None = Field(
        None,
        ge=0,
        description="Kill the command after this many seconds (default {exec_seconds}, at most "
        "{exec_max_seconds}; in the background default {background_seconds}, 0 for no limit)",
    )


class Process(ToolParameters):
    """Look after commands that exec left in the background. list: all sessions; poll: state and
    new output of one; log: its output by lines; write: text to its standard input; kill: end it
    with everything it started."""

    action: Literal["list", "poll", "log", "write", "kill"] = Field(description="What to do")
    sessionId: str | None = Field(None, description="The session; needed for all but list")
    data: str | None = Field(None, description="write: the text, with its line end")
    eof: bool | None = Field(None, description="write: close standard input afterwards")
    offset: int | None = Field(None, ge=0, description="log: first line, counted from 1")
    limit: int | None = Field(
        None, ge=1, description="log: number of lines (default: the last {log_lines})"
    )
    timeout: int | None = Field(
        None,
        ge=0,
        description="poll: wait up to this many milliseconds for the command to end",
    )


class MemorySearch(ToolParameters):
    """Search the notes in MEMORY.md and memory/*.md by keywords. Gives the best passages with file
    and lines. Use it before answering about earlier work, decisions, people, dates or wishes."""

    query: str = Field(description="Words to look for")
    maxResults: int | None = Field(
        None, ge=1, description="Most passages to give (default {memory_results})"
    )
    minScore: float | None = Field(
        None, ge=0, le=1, description="Leave out passages below this score (0 to 1)"
    )


class MemoryGet(ToolParameters):
    """Give lines of MEMORY.md or of a file under memory/, for example around a passage that
    memory_search found."""

    path: str = Field(description="MEMORY.md, or a path like memory/2026-01-31.md")
    from_: int | None = Field(
        None, ge=0, alias="from", description="First line to give, counted from 1"
    )
    lines: int | None = Field(None, ge=1, description="Number of lines to give")


class WebSearch(ToolParameters):
    """Search the web. Gives titles, addresses and short extracts; web_fetch gives a whole page."""

    query: str = Field(description="Words to look for")
    count: int | None = Field(
        None,
        ge=1,
        description="Number of results (default {search_results}, at most {search_max_results})",
    )


class WebFetch(ToolParameters):
    """Fetch a web page and give its readable text."""

    url: str = Field(description="Address of the page, starting with http:// or https://")
    extractMode: Literal["markdown", "text"] | None = Field(
        None, description="markdown (default) keeps headings, links and tables; text drops links"
    )
    maxChars: int | None = Field(
        None,
        ge=100,
        description="Cut the text after this many characters (default {fetch_characters})",
    )


PARAMETERS: dict[str, type[ToolParameters]] = {
    "read": Read,
    "write": Write,
    "edit": Edit,
    "apply_patch": ApplyPatch,
    "ls": Ls,
    "exec": Exec,
    "process": Process,
    "memory_search": MemorySearch,
    "memory_get": MemoryGet,
    "web_search": WebSearch,
    "web_fetch": WebFetch,
}

WEB_TOOLS = ("web_search", "web_fetch")
CLAW_TOOLS = tuple(name for name in PARAMETERS if name not in WEB_TOOLS)
