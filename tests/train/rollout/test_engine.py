"""Episodes in real sandboxes with a policy that follows a plan."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from clawgym_bench.errors import SandboxLost
from clawgym_bench.regrade import regrade
from clawgym_bench.sandbox import Backend, Sandbox, SandboxSpec, open_backend
from clawgym_bench.task.store import write_lines
from clawgym_train.rollout import (
    ChatFormat,
    RolloutEngine,
    RolloutSettings,
    count_groups,
    groups_of,
)
from clawgym_train.rollout.inspect_log import write_rollouts
from tests.conftest import MakeTask
from tests.train.rollout.scripted_policy import ScriptedPolicy, follow
from tests.train.templates import tokenizer

RIGHT = "vendor,total\nAster,7\nBirch,3\n"
WORK = (
    ("read", {"path": "sales.csv"}),
    ("write", {"path": "out/totals.csv", "content": RIGHT}),
    "Done.",
)


@pytest.fixture
def chat() -> ChatFormat:
    return ChatFormat(tokenizer("tiny"))


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    opened = open_backend("bwrap")
    yield opened
    await opened.close()


pytestmark = pytest.mark.bwrap


async def test_an_episode_gives_tokens_and_the_benchmark_s_grade(
    new_task: MakeTask, chat: ChatFormat, backend: Backend
) -> None:
    policy = ScriptedPolicy(chat, follow(*WORK))
    (rollout,) = await RolloutEngine(policy, chat, backend).play([new_task()])
    assert rollout.grade is not None
    assert rollout.grade.success
    assert rollout.reward() == 1.0
    (talk,) = rollout.conversations
    assert talk.ended == "done"
    assert len(talk.completion_ids) == len(talk.mask) == len(talk.logprobs)
    # Every prompt is the one before it with what was sampled and what the tools said.
    for earlier, later in zip(policy.asked, policy.asked[1:], strict=False):
        assert later[: len(earlier)] == earlier
    assert [*talk.prompt_ids, *talk.completion_ids][: len(policy.asked[-1])] == policy.asked[-1]
    sampled = [i for i, m in zip(talk.completion_ids, talk.mask, strict=True) if m]
    seen = [i for i, m in zip(talk.completion_ids, talk.mask, strict=True) if not m]
    assert chat.tokenizer.decode(sampled).count("<|end|>") == 3
    assert "Aster,2" in chat.tokenizer.decode(seen)
    assert "Aster,2" not in chat.tokenizer.decode(sampled)
    assert all((value != 0) == bool(m) for value, m in zip(talk.logprobs, talk.mask, strict=True))


async def test_sessions_are_conversations_of_their_own_on_one_workspace(
    new_task: MakeTask, chat: ChatFormat, backend: Backend
) -> None:
    task = new_task(
        sessions=[
            {"instruction": "Remember the vendors."},
            {"instruction": "Add up the amounts per vendor in sales.csv."},
        ]
    )

    def plan(text: str, done: int) -> object:
        if "Remember" in text:
            return follow(("write", {"path": "notes.md", "content": "Aster"}), "Noted.")(text, done)
        return follow(("read", {"path": "notes.md"}), *WORK[1:])(text, done)

    engine = RolloutEngine(ScriptedPolicy(chat, plan), chat, backend)  # type: ignore[arg-type]
    (rollout,) = await engine.play([task])
    first, second = rollout.conversations
    assert rollout.reward() == 1.0
    assert "Remember" not in chat.tokenizer.decode(second.prompt_ids)
    assert "Aster" in chat.tokenizer.decode(second.completion_ids)
    assert [call.session for call in rollout.calls] == [1, 2, 2]
    assert first.ended == second.ended == "done"


async def test_a_wrong_call_is_answered_and_counted(
    new_task: MakeTask, chat: ChatFormat, backend: Backend
) -> None:
    policy = ScriptedPolicy(chat, follow(("read", {"path": "none.csv"}), ("fly", {}), *WORK[1:]))
    (rollout,) = await RolloutEngine(policy, chat, backend).play([new_task()])
    assert rollout.tool_errors == 2
    assert rollout.reward() == 1.0


async def test_limits_end_a_conversation_and_what_is_there_is_graded(
    new_task: MakeTask, chat: ChatFormat, backend: Backend
) -> None:
    task = new_task(limits={"messages": 6})
    looping = ScriptedPolicy(chat, follow(WORK[1], ("ls", {})))
    (rollout,) = await RolloutEngine(looping, chat, backend).play([task])
    assert rollout.conversations[0].ended == "messages"
    assert len(rollout.conversations[0].messages) == 6
    assert rollout.reward() == 1.0
    settings = RolloutSettings(turn_tokens=5)
    (rollout,) = await RolloutEngine(looping, chat, backend, settings).play([task])
    assert rollout.conversations[0].ended == "tokens"
    assert rollout.reward() == 0.0


class Leaky:
    """A backend whose sandboxes are lost the first `times` times."""

    name = "leaky"

    def __init__(self, inner: Backend, times: int) -> None:
        self._inner, self.left = inner, times

    async def create(self, spec: SandboxSpec | None = None) -> Sandbox:
        if self.left > 0:
            self.left -= 1
            raise SandboxLost("it is gone")
        return await self._inner.create(spec)

    async def close(self) -> None:
        return None


async def test_what_infrastructure_loses_is_tried_again_then_leaves_its_group(
    new_task: MakeTask, chat: ChatFormat, backend: Backend
) -> None:
    policy = ScriptedPolicy(chat, follow(*WORK))
    settings = RolloutSettings(attempts=2, parallel=1)
    again = RolloutEngine(policy, chat, Leaky(backend, 1), settings)
    (rollout,) = await again.play([new_task()])
    assert (rollout.reward(), rollout.attempts) == (1.0, 2)
    gone = RolloutEngine(policy, chat, Leaky(backend, 2), settings)
    rollouts = await gone.play([new_task()] * 3)
    (group,) = groups_of(rollouts, 3)
    assert list(group.rewards) == [None, 1.0, 1.0]
    assert "SandboxLost" in rollouts[0].lost
    counts = count_groups([group])
    assert (counts.lost, counts.skipped) == (1, 1)


async def test_many_episodes_run_at_a_time(
    new_task: MakeTask, chat: ChatFormat, backend: Backend
) -> None:
    class Slow(ScriptedPolicy):
        running = most = 0

        async def sample(self, prompt, *, max_tokens):  # type: ignore[no-untyped-def]
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0.2)
            self.running -= 1
            return await super().sample(prompt, max_tokens=max_tokens)

    policy = Slow(chat, follow(*WORK))
    engine = RolloutEngine(policy, chat, backend, RolloutSettings(parallel=6))
    rollouts = await engine.play([new_task()] * 12)
    assert [rollout.reward() for rollout in rollouts] == [1.0] * 12
    assert 2 <= policy.most <= 6


def test_rollouts_open_as_an_inspect_log_and_grade_again(
    new_task: MakeTask, chat: ChatFormat, tmp_path: Path
) -> None:
    task = new_task()

    async def play() -> list:  # type: ignore[type-arg]
        backend = open_backend("bwrap")
        try:
            good = RolloutEngine(ScriptedPolicy(chat, follow(*WORK)), chat, backend)
            lost = RolloutEngine(ScriptedPolicy(chat, follow(*WORK)), chat, Leaky(backend, 9))
            return [*await good.play([task]), *await lost.play([task])]
        finally:
            await backend.close()

    rollouts = asyncio.run(play())
    tasks = tmp_path / "tasks.jsonl"
    write_lines([task], str(tasks))
    log_file = tmp_path / "step-1.eval"
    write_rollouts(
        rollouts, {task.id: task}, log_file, model="tiny", task_set=str(tasks), sandbox="bwrap"
    )
    log = read_eval_log(str(log_file))
    assert log.samples is not None
    first, second = log.samples
    assert [message.role for message in first.messages] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant"
    ]  # fmt: skip
    assert first.scores is not None
    assert first.scores["hybrid"].value["success"] == 1.0  # type: ignore[index, call-overload]
    assert second.scores is None
    assert second.error is not None
    changes = regrade(log_file)
    assert [change.differs for change in changes] == [False, False]
    assert changes[0].after == 1.0
