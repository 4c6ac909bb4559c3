"""Samples as conversations: what the model saw and said, and nothing else."""

from inspect_ai.event import SpanBeginEvent
from inspect_ai.model import ChatMessageAssistant, ContentImage, ContentReasoning, ContentText

from clawgym_bench.conversation import STARTS_KEY
from clawgym_bench.tools.parameters import CLAW_TOOLS
from clawgym_train.schemas import tool_schemas
from clawgym_train.traces.sample import conversations_of
from tests.train.traces.made_up import SYSTEM, answers, call_of, calls, sample, says, user


def test_recorded_sessions_are_conversations_of_their_own() -> None:
    messages = [SYSTEM, user("One."), says("Done."), SYSTEM, user("Two."), calls(), answers("x")]
    first, second = conversations_of(sample(messages=messages, store={STARTS_KEY: [0, 3]}))
    assert [m["content"] for m in first.messages] == ["You are an assistant.", "One.", "Done."]
    assert [m["role"] for m in second.messages] == ["system", "user", "assistant"]
    assert first.finished
    assert not second.finished
    assert first.tools == tool_schemas(list(CLAW_TOOLS))


def test_system_prompts_that_stand_beside_the_messages_come_first() -> None:
    found = sample(messages=[user(), says("Done.")], metadata={"system": ["The prompt."]})
    (talk,) = conversations_of(found)
    assert talk.messages[0] == {"role": "system", "content": "The prompt."}


def test_a_refused_call_shows_the_error_that_the_model_saw() -> None:
    messages = [user(), calls(), answers("", error="a.csv does not exist."), says("Not there.")]
    (talk,) = conversations_of(sample(messages=messages))
    assert talk.messages[2] == {
        "role": "tool", "content": "a.csv does not exist.", "name": "read", "tool_call_id": "c1",
    }  # fmt: skip
    assert talk.failed_calls == {"c1"}


def test_the_last_call_of_a_conversation_is_the_conversation() -> None:
    step, answer = calls(path="a.csv"), says("Done.")
    head = [SYSTEM, user()]
    whole = [*head, step, answers("1"), answer]
    events = [call_of(head, step), call_of(whole[:-1], answer)]
    (talk,) = conversations_of(sample(messages=whole, events=events))
    assert [m["role"] for m in talk.messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert talk.dead == 0


def test_branches_that_the_agent_left_are_cut() -> None:
    head = [SYSTEM, user()]
    wrong, right = calls("exec", command="rm a"), calls(path="a.csv")
    lost, answer = says("I lost my way."), says("Done.")
    whole = [*head, right, answers("1"), answer]
    events = [
        call_of(head, wrong),
        call_of([*head, wrong, answers("")], lost),
        call_of(head, right),
        call_of(whole[:-1], answer),
    ]
    (talk,) = conversations_of(sample(messages=whole, events=events))
    assert [c["name"] for c in talk.calls()] == ["read"]
    assert talk.dead == 2


def test_an_answer_that_the_agent_threw_away_is_cut_even_when_it_came_last() -> None:
    head = [SYSTEM, user()]
    kept, thrown = says("Done."), says("Something else.")
    events = [call_of(head, kept), call_of(head, thrown)]
    (talk,) = conversations_of(sample(messages=[*head, kept], events=events))
    assert talk.messages[-1]["content"] == "Done."
    assert talk.dead == 1


def test_failed_calls_and_the_judge_are_no_part() -> None:
    head, answer = [SYSTEM, user()], says("Done.")
    events = [
        call_of(head, says(""), error="overloaded"),
        call_of(head, answer),
        call_of([user("Grade this.")], says("1"), role="grader"),
        SpanBeginEvent(id="s", name="hybrid", type="scorer"),
        call_of([user("Grade that.")], says("1"), span_id="s"),
    ]
    (talk,) = conversations_of(sample(messages=[*head, answer], events=events))
    assert [m["content"] for m in talk.messages][1:] == ["Add up the sales, please.", "Done."]


def test_the_same_request_in_a_new_session_is_a_new_conversation() -> None:
    head = [SYSTEM, user("Go on.")]
    one, two = says("First."), says("Second.")
    events = [call_of(head, one), call_of(head, two)]
    found = sample(messages=[*head, one, *head, two], events=events, metadata={"sessions": 2})
    assert [t.messages[-1]["content"] for t in conversations_of(found)] == ["First.", "Second."]


def test_reasoning_is_kept_or_dropped() -> None:
    thought = ChatMessageAssistant(
        content=[
            ContentReasoning(reasoning="Sum first."),
            ContentReasoning(reasoning="gAAAA=", redacted=True),
            ContentText(text="Done."),
        ]
    )
    found = sample(messages=[user(), thought])
    (kept,), (dropped,) = conversations_of(found, True), conversations_of(found, False)
    assert kept.messages[-1] == {
        "role": "assistant", "content": "Done.", "reasoning_content": "Sum first.",
    }  # fmt: skip
    assert dropped.messages[-1] == {"role": "assistant", "content": "Done."}


def test_what_is_not_text_is_noticed() -> None:
    picture = user()
    picture.content = [ContentText(text="Look."), ContentImage(image="data:image/png;base64,AA==")]
    (talk,) = conversations_of(sample(messages=[picture, says("Done.")]))
    assert talk.media
