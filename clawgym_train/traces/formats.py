"""The forms that traces are written in: one JSON line per conversation.

trl       `messages` and `tools`, as TRL and chat templates take them; the most exact
atif      Agent Trajectory Interchange Format 1.7, one trajectory a line
sharegpt  `conversations` with from and value, `system`, `tools`
"""

import json
from collections.abc import Callable
from typing import Any

from clawgym_train.traces.trace import Conversation, Message, Trace

Row = dict[str, Any]
Format = Callable[[Trace, int], Row]
"""From a trace and the index of one of its conversations to a row."""

ATIF = "ATIF-v1.7"


def facts(trace: Trace, index: int) -> Row:
    """Where a conversation comes from and what its trace has earned."""
    return {
        "task": trace.task,
        "skeleton": trace.family,
        "category": trace.category,
        "session": index + 1,
        "sessions": len(trace.conversations),
        "sample": trace.sample,
        "epoch": trace.epoch,
        "model": trace.model,
        "agent": trace.agent,
        "score": trace.score,
        "success": trace.success,
    }


def trl(trace: Trace, index: int) -> Row:
    talk = trace.conversations[index]
    return {"messages": talk.messages, "tools": talk.tools, **facts(trace, index)}


def atif(trace: Trace, index: int) -> Row:
    talk = trace.conversations[index]
    return {
        "schema_version": ATIF,
        "session_id": trace.sample,
        "trajectory_id": f"{trace.sample}-{index + 1}",
        "agent": {
            "name": trace.agent,
            "version": trace.agent_version,
            "model_name": trace.model,
            "tool_definitions": talk.tools,
        },
        "steps": _steps(talk),
        "final_metrics": {"total_steps": len(talk.turns)},
        "extra": facts(trace, index),
    }


def _steps(talk: Conversation) -> list[Row]:
    """One step per message; what tools answered belongs to the step that called them."""
    steps: list[Row] = []
    for message in talk.messages:
        if message["role"] == "tool" and steps:
            _observe(steps[-1], message)
            continue
        source = {"assistant": "agent", "system": "system"}.get(message["role"], "user")
        step: Row = {
            "step_id": len(steps) + 1,
            "source": source,
            "message": message.get("content") or "",
        }
        if message.get("reasoning_content"):
            step["reasoning_content"] = message["reasoning_content"]
        if message.get("tool_calls"):
            step["tool_calls"] = [
                {
                    "tool_call_id": call["id"],
                    "function_name": call["function"]["name"],
                    "arguments": call["function"]["arguments"],
                }
                for call in message["tool_calls"]
            ]
        steps.append(step)
    return steps


def _observe(step: Row, message: Message) -> None:
    call = message.get("tool_call_id")
    known = {made["tool_call_id"] for made in step.get("tool_calls") or []}
    result: Row = {"content": message["content"]}
    if call in known:
        result["source_call_id"] = call
    step.setdefault("observation", {"results": []})["results"].append(result)


def sharegpt(trace: Trace, index: int) -> Row:
    """`human` and `observation` take turns with `gpt` and `function_call`.

    Several calls of one turn are one JSON list, and so are their results. The form has no place
    for what is said along with a call: it stands in `said`, reasoning in `reasoning`.
    """
    talk = trace.conversations[index]
    system = [str(m["content"]) for m in talk.messages if m["role"] == "system"]
    turns: list[Row] = []
    results: list[str] = []

    def observed() -> None:
        if results:
            value = results[0] if len(results) == 1 else json.dumps(results, ensure_ascii=False)
            turns.append({"from": "observation", "value": value})
            results.clear()

    for message in talk.messages:
        if message["role"] == "tool":
            results.append(str(message["content"]))
            continue
        observed()
        if message["role"] == "user":
            turns.append({"from": "human", "value": message["content"]})
        elif message["role"] == "assistant":
            turns.append(_spoken(message))
    return {
        "conversations": turns,
        "system": "\n\n".join(system),
        "tools": json.dumps([tool["function"] for tool in talk.tools], ensure_ascii=False),
        **facts(trace, index),
    }


def _spoken(message: Message) -> Row:
    calls = [
        {"name": call["function"]["name"], "arguments": call["function"]["arguments"]}
        for call in message.get("tool_calls") or []
    ]
    if calls:
        value = json.dumps(calls[0] if len(calls) == 1 else calls, ensure_ascii=False)
        turn: Row = {"from": "function_call", "value": value}
        if message.get("content"):
            turn["said"] = message["content"]
    else:
        turn = {"from": "gpt", "value": message.get("content") or ""}
    if message.get("reasoning_content"):
        turn["reasoning"] = message["reasoning_content"]
    return turn


FORMATS: dict[str, Format] = {"trl": trl, "atif": atif, "sharegpt": sharegpt}
