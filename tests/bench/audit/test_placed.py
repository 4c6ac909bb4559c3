"""Agents that only make files leave without a sandbox what they leave in one."""

import pytest

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.junk import junk_agents
from clawgym_bench.audit.placed import NeedsSandbox, play_placed
from clawgym_bench.audit.play import play
from clawgym_bench.sandbox import File, open_backend
from clawgym_bench.task import Output, Task
from clawgym_bench.taskset import load_bench

TASKS = {task.id: task for task in load_bench()}
PLAYED = ["software-relay-config", "content-product-sheet", "systems-recording-rotation"]


@pytest.mark.parametrize("id", PLAYED)
async def test_what_is_placed_is_what_the_tools_leave(id: str) -> None:
    task = TASKS[id]
    backend = open_backend("bwrap")
    try:
        for agent in junk_agents().values():
            placed, played = await play_placed(task, agent), await play(task, agent, backend)
            assert placed.snapshot.files == played.snapshot.files
            assert placed.snapshot.directories == played.snapshot.directories
            assert (placed.messages, placed.calls) == (played.messages, played.calls)
            assert not played.snapshot.refused
    finally:
        await backend.close()


@pytest.mark.parametrize("id", PLAYED)
async def test_stopping_at_the_first_lost_case_gives_every_check_the_same_score(id: str) -> None:
    backend = open_backend("bwrap")
    try:
        for name, agent in junk_agents().items():
            evidence = await play_placed(TASKS[id], agent)
            whole = await Context(TASKS[id], backend).grade(evidence)
            short = await Context(TASKS[id], backend).score(evidence)
            assert (short.status, short.score) == (whole.status, whole.score), name
            if not whole.failed_gates:
                scores = [(one.id, one.score, one.gate) for one in whole.results]
                assert [(one.id, one.score, one.gate) for one in short.results] == scores, name
    finally:
        await backend.close()


def _with(path: str, **files: File) -> Task:
    task = TASKS["systems-log-triage"]
    outputs = [Output(path="out.txt", format="text").model_copy(update={"path": path})]
    return task.model_copy(update={"outputs": outputs, "files": {**task.files, **files}})


@pytest.mark.parametrize("path", ["../up.txt", "/etc/x", "~/x", "a//b", "new\nline", "x/" * 20])
async def test_odd_paths_need_a_sandbox(path: str) -> None:
    with pytest.raises(NeedsSandbox):
        await play_placed(_with(path), junk_agents()["empty"])


async def test_a_folder_or_a_read_only_file_in_the_way_needs_a_sandbox() -> None:
    inside = {"workspace/out/given.txt": File(b"x", 0o444)}
    for path in ("out", "out/given.txt", "out/given.txt/below"):
        with pytest.raises(NeedsSandbox):
            await play_placed(_with(path, **inside), junk_agents()["empty"])
