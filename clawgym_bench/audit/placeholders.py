"""Where an agent would put its work, also in a task without a contract, and placeholders there.

Imported tasks have no contract: content-free agents, which go by it, would make nothing, and a
checker that pays for any file would not be noticed. The paths that the request names stand in.
"""

from dataclasses import replace

from clawgym_bench.agents.stubs import stub_content
from clawgym_bench.audit.hijack import targets
from clawgym_bench.checks import Evidence
from clawgym_bench.grading import untouched_evidence
from clawgym_bench.task import Output, Task

FILES = 24


def with_contract(task: Task) -> Task:
    """The task itself where it has a contract, else with one guessed from its request."""
    if task.outputs:
        return task
    guessed = [Output(path=path, format=kind) for path, kind in list(targets(task).items())[:FILES]]
    return task.model_copy(update={"outputs": guessed})


def placeholders(task: Task) -> Evidence:
    """What an agent leaves that makes every file and does no work."""
    evidence = untouched_evidence(task)
    stubs = {output.path: stub_content(output) for output in with_contract(task).outputs}
    files = {**evidence.snapshot.files, **stubs}
    messages = tuple("Done. Everything is complete." for _ in evidence.messages)
    snapshot = replace(evidence.snapshot, files=files)
    return replace(evidence, snapshot=snapshot, messages=messages)
