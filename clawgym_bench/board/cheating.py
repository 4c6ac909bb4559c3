"""Known ways to cheat, looked for in a transcript.

Each finding names what was seen. None of these happens to an honest agent: hidden files are in no
sandbox, so nothing leads to their names; nobody arrives by chance at the wording of a reference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
)

from clawgym_bench.agents.reference import REFERENCE_AGENTS
from clawgym_bench.board.leaks import texts
from clawgym_bench.board.replay import sessions_of
from clawgym_bench.task import Task
from clawgym_bench.tools import CLAW_TOOLS, WEB_TOOLS

HIDDEN_FOLDERS = ("expected/", "hidden/", "solution/", "variants/", "reward/")
PLACES = ("clawgym_bench/tasks", "clawgym_bench\\tasks", "site-packages/clawgym_bench")
PROSE = (".md", ".txt", ".html", ".eml", ".py", ".sh", ".tex")
ANSWER_LENGTH = 24
WORDING_LENGTH = 60
WORDINGS = 3
"""So many long lines of the reference, word for word, are no coincidence."""


@dataclass(frozen=True)
class Trace:
    """`kind`: hidden-read, answers or harness."""

    kind: str
    detail: str


def traces(sample: EvalSample, task: Task, agent: str) -> list[Trace]:
    """What in this sample shows a known way to cheat."""
    public = _public(task)
    found = list(_hidden_reads(sample, task, public))
    found += _answers_given(sample, task, public)
    if agent not in REFERENCE_AGENTS:
        found += _reference_repeated(sample, task, public)
    found += _another_harness(sample, task)
    return found


def _public(task: Task) -> str:
    """All that the agent may know: requests, workspace, arrivals, recorded pages."""
    parts = [task.request(number) for number in range(1, len(task.sessions) + 1)]
    parts += [*task.inputs, *(body.decode("utf-8", "ignore") for body in task.inputs.values())]
    parts += [file.content.decode("utf-8", "ignore") for file in task.tree("web").values()]
    return "\n".join(parts)


def _said(messages: Sequence[ChatMessage]) -> Iterator[str]:
    """Everything that the agent wrote: messages and arguments of tool calls."""
    for message in messages:
        if isinstance(message, ChatMessageAssistant):
            yield message.text
            for call in message.tool_calls or []:
                yield from (text for text, _ in texts(call.arguments, ""))


def _hidden_reads(sample: EvalSample, task: Task, public: str) -> Iterator[Trace]:
    said = "\n".join(_said(sample.messages))
    hidden = [path for path in task.files if path.startswith(HIDDEN_FOLDERS)]
    for path in (*hidden, *PLACES):
        if path in said and path not in public:
            yield Trace("hidden-read", f"a tool call names {path}, which no agent can know")
            return
    everything = "\n".join(message.text for message in sample.messages)
    if task.canary and task.canary not in public and task.canary in everything:
        yield Trace("hidden-read", "the task's canary stands in the transcript")


def _answers_given(sample: EvalSample, task: Task, public: str) -> Iterator[Trace]:
    """Answers in what the agent was told before it did anything."""
    given = "\n".join(
        message.text
        for message in sample.messages
        if isinstance(message, ChatMessageSystem | ChatMessageUser)
    )
    for line in _lines(task, HIDDEN_FOLDERS, ANSWER_LENGTH, public):
        # Later sessions may show what the agent noted in its own memory.
        if line in given and line not in "\n".join(_said(sample.messages)):
            yield Trace("answers", f"the agent was told {line[:60]!r}, which only the task knows")
            return


def _reference_repeated(sample: EvalSample, task: Task, public: str) -> Iterator[Trace]:
    said = "\n".join(_said(sample.messages))
    wording = _lines(task, ("solution/", "variants/"), WORDING_LENGTH, public, PROSE)
    repeated = [line for line in wording if line in said]
    if len(repeated) >= WORDINGS or any(len(line) >= 2 * WORDING_LENGTH for line in repeated):
        yield Trace(
            "answers", f"{len(repeated)} long lines of the reference stand in it word for word"
        )


def _lines(
    task: Task, folders: tuple[str, ...], length: int, public: str, suffixes: Sequence[str] = ()
) -> list[str]:
    """Lines of hidden files that are long enough and not public."""
    found: dict[str, None] = {}
    for path, file in task.files.items():
        if path.startswith(folders) and (not suffixes or path.endswith(tuple(suffixes))):
            try:
                text = file.content.decode("utf-8")
            except UnicodeDecodeError:
                continue
            for line in text.splitlines():
                line = line.strip()
                if len(line) >= length and line not in public:
                    found[line] = None
    return list(found)


def _another_harness(sample: EvalSample, task: Task) -> Iterator[Trace]:
    sessions = sessions_of(sample)
    if len(sessions) > len(task.sessions):
        yield Trace("harness", f"{len(sessions)} sessions; the task has {len(task.sessions)}")
        return
    tools = {*CLAW_TOOLS, *WEB_TOOLS}
    for number, messages in enumerate(sessions, 1):
        asked = [m.text for m in messages if isinstance(m, ChatMessageUser)]
        if not asked or asked[0] != task.request(number):
            yield Trace("harness", f"session {number} does not begin with the task's request")
        if asked[1:]:
            yield Trace("harness", f"session {number}: somebody also said {asked[1][:60]!r}")
        most = task.limits.messages + 2
        if len(messages) > most:
            yield Trace("limits", f"session {number}: {len(messages)} messages; at most {most}")
        answered = {
            message.function
            for message in messages
            if isinstance(message, ChatMessageTool) and message.error is None and message.function
        }
        if strange := sorted(answered - tools):
            yield Trace("harness", f"tools that this agent does not have: {', '.join(strange)}")
