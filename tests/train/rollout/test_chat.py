"""A chat template in both directions, for each family that is supported."""

from typing import Any

import pytest

from clawgym_bench.errors import InputError
from clawgym_bench.tools import tool_schemas
from clawgym_train.rollout import ChatFormat
from tests.train.templates import tokenizer

TOOL_TEMPLATES = ["qwen3", "qwen3_instruct_2507", "llama3_1", "llama3_2", "tiny"]
ASK = [{"role": "user", "content": "Give the totals."}]
CALL = {
    "type": "function",
    "function": {"name": "read", "arguments": {"path": "sales.csv"}},
}
ANSWER = {"role": "tool", "name": "read", "content": "vendor,amount\nAster,2\n"}


def call_turn() -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": [CALL]}


@pytest.mark.parametrize("name", TOOL_TEMPLATES)
def test_prompt_turn_and_observation_are_the_template_s_own_tokens(name: str) -> None:
    chat = ChatFormat(tokenizer(name))
    tools = tool_schemas(["read"])
    prompt = chat.prompt(ASK, tools)
    talk = [*ASK, call_turn(), ANSWER]
    whole = chat.prompt(talk, tools)
    assert whole[: len(prompt)] == prompt
    observed = chat.observation([ANSWER])
    assert whole[-len(observed) :] == observed
    spoken = whole[len(prompt) : -len(observed)]
    assert spoken[-1] == chat.turn_end
    assert spoken.count(chat.turn_end) == 1


@pytest.mark.parametrize("name", TOOL_TEMPLATES)
def test_what_the_template_writes_is_read_back(name: str) -> None:
    chat = ChatFormat(tokenizer(name))
    prompt = chat.prompt(ASK, ())
    whole = chat.prompt([*ASK, call_turn(), ANSWER], ())
    spoken = whole[len(prompt) : -len(chat.observation([ANSWER]))]
    message = chat.parse(spoken)
    assert [call["function"] for call in message["tool_calls"]] == [CALL["function"]]


@pytest.mark.parametrize("name", ["qwen3", "tiny"])
@pytest.mark.parametrize(
    "said",
    [
        '<tool_call>\n{"name": "read", "arguments": {"path": \n</tool_call>',
        '<tool_call>{"name": "read", "arguments": [1]}</tool_call>',
        '<tool_call>{"arguments": {}}</tool_call>',
        '<tool_call>{"name": "read"',
        "<tool_call></tool_call>",
    ],
)
def test_a_call_that_is_not_well_formed_is_plain_text(name: str, said: str) -> None:
    chat = ChatFormat(tokenizer(name))
    ids = chat.tokenizer(said, add_special_tokens=False)["input_ids"]
    message = chat.parse([*ids, chat.turn_end])
    assert not message.get("tool_calls")
    assert isinstance(message["content"], str)


@pytest.mark.parametrize("name", ["qwen3", "tiny"])
def test_several_answers_make_one_observation(name: str) -> None:
    chat = ChatFormat(tokenizer(name))
    text = chat.tokenizer.decode(chat.observation([ANSWER, {**ANSWER, "content": "second"}]))
    assert text.index("Aster") < text.index("second")


def test_a_template_that_nobody_can_read_is_refused() -> None:
    unknown = tokenizer("tiny").__class__(tokenizer_object=tokenizer("tiny").backend_tokenizer)
    with pytest.raises(InputError, match="no chat template"):
        ChatFormat(unknown)


@pytest.mark.parametrize("name", ["qwen3", "qwen3_instruct_2507", "llama3_1", "llama3_2", "tiny"])
def test_loss_is_on_the_assistant_s_tokens_and_on_no_other(name: str) -> None:
    chat = ChatFormat(tokenizer(name))
    final = {"role": "assistant", "content": "The totals are written."}
    talk = [*ASK, call_turn(), ANSWER, final]
    ids, mask = chat.training_example(talk, tool_schemas(["read"]))
    assert len(ids) == len(mask)
    spans = spans_of(ids, mask, chat)
    assert len(spans) == 2
    assert '"name": "read"' in spans[0]
    assert "The totals are written." in spans[1]
    others = chat.tokenizer.decode([i for i, m in zip(ids, mask, strict=True) if not m])
    assert "Aster" in others
    assert "sales.csv" not in others
    assert "written" not in others


def test_a_template_without_tools_is_refused() -> None:
    with pytest.raises(InputError, match="does not know how to read tool calls"):
        ChatFormat(tokenizer("llama3"))


LEARNT = {
    "qwen3": [
        '<think>\n\n</think>\n\n<tool_call>\n{"name": "read", "arguments": {"path": "sales.csv"}}\n'
        "</tool_call><|im_end|>",
        "<think>\n\n</think>\n\nDone.<|im_end|>",
    ],
    "llama3_1": [
        '{"name": "read", "parameters": {"path": "sales.csv"}}<|eot_id|>',
        "Done.<|eot_id|>",
    ],
    "tiny": [
        '<tool_call>{"name": "read", "arguments": {"path": "sales.csv"}}</tool_call><|end|>',
        "Done.<|end|>",
    ],
}


@pytest.mark.parametrize("name", sorted(LEARNT))
def test_the_learnt_tokens_are_exactly_these(name: str) -> None:
    chat = ChatFormat(tokenizer(name))
    talk = [*ASK, call_turn(), ANSWER, {"role": "assistant", "content": "Done."}]
    ids, mask = chat.training_example(talk, tool_schemas(["read"]))
    assert spans_of(ids, mask, chat) == LEARNT[name]


@pytest.mark.parametrize("name", TOOL_TEMPLATES)
def test_training_and_sampling_see_the_same_tokens(name: str) -> None:
    chat = ChatFormat(tokenizer(name))
    tools = tool_schemas(["read"])
    final = {"role": "assistant", "content": "Done."}
    ids, mask = chat.training_example([*ASK, call_turn(), ANSWER, final], tools)
    prompt = chat.prompt(ASK, tools)
    assert ids[: len(prompt)] == prompt
    assert mask[: len(prompt)] == [0] * len(prompt)
    assert mask[len(prompt)] == 1
    observed = chat.observation([ANSWER])
    start = ids.index(chat.turn_end, len(prompt)) + 1
    assert ids[start : start + len(observed)] == observed


def spans_of(ids: list[int], mask: list[int], chat: ChatFormat) -> list[str]:
    """The texts of the stretches under the mask."""
    spans: list[list[int]] = []
    before = 0
    for token, learnt in zip(ids, mask, strict=True):
        if learnt and not before:
            spans.append([])
        if learnt:
            spans[-1].append(token)
        before = learnt
    return [chat.tokenizer.decode(span) for span in spans]
