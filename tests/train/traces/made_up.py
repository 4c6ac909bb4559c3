"""Made-up samples and logs, as Inspect would have written them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai._util.error import EvalError
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall, ToolCallError

SYSTEM = ChatMessageSystem(content="You are an assistant.")


def user(text: str = "Add up the sales, please.") -> ChatMessageUser:
    return ChatMessageUser(content=text)


def says(text: str) -> ChatMessageAssistant:
    return ChatMessageAssistant(content=text, source="generate")


def calls(tool: str = "read", id: str = "c1", **arguments: Any) -> ChatMessageAssistant:
    call = ToolCall(id=id, function=tool, arguments=arguments)
    return ChatMessageAssistant(content="", tool_calls=[call], source="generate")


def answers(text: str, id: str = "c1", error: str = "") -> ChatMessageTool:
    return ChatMessageTool(
        content=text,
        function="read",
        tool_call_id=id,
        error=ToolCallError("unknown", error) if error else None,
    )


def call_of(
    input: Sequence[ChatMessage], output: ChatMessageAssistant, stop: Any = "stop", **fields: Any
) -> ModelEvent:
    """A call of the model: what it saw and what it said."""
    said = ModelOutput.from_message(output, stop_reason=stop)
    return ModelEvent(
        model="mockllm/model", input=list(input), tools=[], tool_choice="auto",
        config=GenerateConfig(), output=said, **fields,
    )  # fmt: skip


def sample(
    id: str = "task-1",
    messages: Sequence[ChatMessage] | None = None,
    score: float | None = 1.0,
    epoch: int = 1,
    error: str = "",
    uuid: str | None = None,
    events: Sequence[ModelEvent] = (),
    metadata: dict[str, Any] | None = None,
    store: dict[str, Any] | None = None,
) -> EvalSample:
    talk = [SYSTEM, user(), calls(path="a.csv"), answers("x"), says(f"Done with {id} {epoch}.")]
    value = {"score": score, "success": float(score == 1.0), "rubric": float("nan")}
    return EvalSample(
        id=id, epoch=epoch, input="", target="",
        messages=list(talk if messages is None else messages),
        scores=None if score is None else {"hybrid": Score(value=value)},
        events=list(events), uuid=uuid or f"{id}-{epoch}",
        error=EvalError(message=error, traceback="", traceback_ansi="") if error else None,
        metadata={"category": "analysis-reasoning", "family": f"family-{id}", **(metadata or {})},
        store=store or {},
    )  # fmt: skip


def log(path: Path, samples: Sequence[EvalSample], agent: str = "claw") -> str:
    """Writes a log and gives its name."""
    made = EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-01-01T00:00:00+00:00", task="demo", model="mockllm/model",
            dataset=EvalDataset(samples=len(samples)), config=EvalConfig(),
            metadata={"agent": agent, "agent_version": "1"},
        ),
        samples=list(samples),
    )  # fmt: skip
    write_eval_log(made, str(path))
    return str(path)
