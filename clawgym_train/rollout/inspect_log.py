"""Rollouts as an Inspect log: `inspect view` opens them, `clawgym-bench regrade` grades them again,
`clawgym-train traces` reads them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from inspect_ai._util.error import EvalError
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall, ToolCallError

from clawgym_bench.conversation import ENDED_KEY, STARTS_KEY
from clawgym_bench.evidence import evidence_of, unpack
from clawgym_bench.regrade import SCORER
from clawgym_bench.sandbox import Snapshot
from clawgym_bench.scorer import EVIDENCE_KEY, score_of
from clawgym_bench.task import Task
from clawgym_train.rollout.record import Conversation, Message, Rollout


def write_rollouts(
    rollouts: Sequence[Rollout],
    tasks: Mapping[str, Task],
    path: Path,
    *,
    model: str,
    task_set: str | None = None,
    sandbox: str = "bwrap",
    metadata: Mapping[str, object] | None = None,
) -> None:
    """Writes `path` (ending in .eval). Rollouts of one task are its epochs, in their order.

    A lost rollout is a sample with an error and without a score. `task_set`: where the tasks lie,
    for `regrade`.
    """
    seen: Counter[str] = Counter()
    samples = []
    for rollout in rollouts:
        seen[rollout.task_id] += 1
        task = tasks[rollout.task_id]
        samples.append(_sample(task, rollout, seen[task.id], model))
    ids = list(dict.fromkeys(rollout.task_id for rollout in rollouts))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    scored = sum(rollout.grade is not None for rollout in rollouts)
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            created=now,
            task="rollouts",
            task_args={"path": task_set} if task_set else {},
            dataset=EvalDataset(name="rollouts", samples=len(ids), sample_ids=list(ids)),
            model=model,
            config=EvalConfig(epochs=max(seen.values(), default=1)),
            metadata={"agent": "claw", "sandbox": sandbox, **(metadata or {})},
        ),
        results=EvalResults(total_samples=len(rollouts), completed_samples=scored),
        stats=EvalStats(started_at=now, completed_at=now),
        samples=samples,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(log, str(path))


def _sample(task: Task, rollout: Rollout, epoch: int, model: str) -> EvalSample:
    messages: list[ChatMessage] = []
    starts = []
    for talk in rollout.conversations:
        # Where the request stands: as in the benchmark's logs, a session begins with it.
        starts.append(len(messages))
        messages += [_message(message) for message in talk.messages if message["role"] != "system"]
    store: dict[str, object] = {
        STARTS_KEY: starts,
        ENDED_KEY: [talk.ended for talk in rollout.conversations],
    }
    if rollout.evidence is not None:
        store[EVIDENCE_KEY] = dict(rollout.evidence)
    last = messages[-1].text if messages else ""
    return EvalSample(
        id=task.id,
        epoch=epoch,
        input=task.request(1),
        target="",
        messages=messages,
        output=ModelOutput.from_content(model=model, content=last),
        scores=_scores(task, rollout),
        metadata={
            "title": task.title,
            "category": task.category,
            "family": task.provenance.skeleton or task.id,
            "sessions": len(task.sessions),
            "version": task.version,
            "hash": task.content_hash,
            "limits": task.limits.model_dump(),
            "attempts": rollout.attempts,
            "system": [_system(talk) for talk in rollout.conversations],
        },
        store=store,
        model_usage={model: _usage(rollout.conversations)},
        total_time=round(rollout.seconds, 3),
        working_time=round(rollout.environment_seconds, 3),
        error=EvalError(message=rollout.lost, traceback="", traceback_ansi="")
        if rollout.lost
        else None,
    )


def _scores(task: Task, rollout: Rollout) -> dict[str, Score] | None:
    if rollout.grade is None:
        return None
    if rollout.evidence is None:
        evidence = evidence_of(task, Snapshot({}), [], [])
    else:
        evidence = unpack(task, rollout.evidence)
    return {SCORER: score_of(rollout.grade, evidence)}


def _system(talk: Conversation) -> str:
    return "\n".join(str(m["content"]) for m in talk.messages if m["role"] == "system")


def _usage(conversations: Sequence[Conversation]) -> ModelUsage:
    read = sum(len(talk.prompt_ids) + talk.mask.count(0) for talk in conversations)
    spoken = sum(sum(talk.mask) for talk in conversations)
    return ModelUsage(input_tokens=read, output_tokens=spoken, total_tokens=read + spoken)


def _message(message: Message) -> ChatMessage:
    content = str(message.get("content") or "")
    match message["role"]:
        case "system":
            return ChatMessageSystem(content=content)
        case "user":
            return ChatMessageUser(content=content)
        case "tool":
            error = ToolCallError("unknown", content) if message.get("error") else None
            return ChatMessageTool(
                content=content,
                function=message.get("name"),
                tool_call_id=message.get("tool_call_id"),
                error=error,
            )
    calls = [
        ToolCall(
            id=call["id"],
            function=call["function"]["name"],
            arguments=call["function"]["arguments"],
        )
        for call in message.get("tool_calls") or []
    ]
    return ChatMessageAssistant(content=content, tool_calls=calls or None, source="generate")
