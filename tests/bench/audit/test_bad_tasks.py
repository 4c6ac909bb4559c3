"""The regression test of the audit itself: it finds what is bad, and blames nothing that is sound.

Every gate is carried out on the sound tasks; on the bad ones all but *hijack*, which is slow and
is carried out where it is what must fail.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

from clawgym_bench.audit.finding import TaskAudit
from clawgym_bench.audit.gates import GATES
from clawgym_bench.audit.run import Settings, audit_set, invalid
from clawgym_bench.errors import TaskInvalid
from clawgym_bench.task import Task
from clawgym_bench.task.store import write_lines
from tests.bench.audit.bent_tasks import Bad, bad_tasks, sound_tasks

pytestmark = [pytest.mark.bwrap, pytest.mark.slow, pytest.mark.xdist_group("bad-tasks")]

BAD = bad_tasks()
SOUND = sound_tasks()
NO_EVIDENCE = {"imported": {"oracle", "variants", "mutants"}}
"""Gates that have nothing to go by in a sound task: an imported one brings no reference."""

Audits = dict[str, TaskAudit]


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Audits:
    folder = tmp_path_factory.mktemp("bad-tasks")
    found: Audits = {}
    quick: list[Task] = []
    whole: list[Task] = list(SOUND.values())
    for bad in BAD:
        try:
            (whole if bad.gate == "hijack" else quick).append(bad.task(SOUND))
        except TaskInvalid as error:
            found[bad.id] = invalid(error)
    for name, tasks, gates in (
        ("quick", quick, [gate for gate in GATES if gate != "hijack"]),
        ("whole", whole, list(GATES)),
    ):
        found |= _audited(tasks, folder / f"{name}.jsonl", gates)
    return found


def _audited(tasks: Iterable[Task], file: Path, gates: list[str]) -> Audits:
    write_lines(tasks, str(file))
    return {audit.task: audit for audit in audit_set([str(file)], Settings(gates=gates))}


def failed(audit: TaskAudit) -> set[str]:
    return {gate.gate for gate in audit.gates if gate.status == "failed"}


def says(audit: TaskAudit, bad: Bad) -> bool:
    """Whether the gate that must fail fails, for the reason that it is there for."""
    return any(
        bad.says in finding.evidence
        for gate in audit.gates
        if gate.gate == bad.gate and gate.status == "failed"
        for finding in gate.findings
    )


def test_there_are_ways_enough_of_being_bad_and_each_is_another() -> None:
    assert len(BAD) >= 45
    assert len({bad.id for bad in BAD}) == len(BAD)
    assert {bad.gate for bad in BAD} == set(GATES)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
def test_a_bad_task_fails_its_gate_for_its_reason_and_no_other(bad: Bad, audits: Audits) -> None:
    audit = audits[bad.id]
    told = [f"{gate.gate}: {one.evidence}" for gate in audit.gates for one in gate.findings]
    assert says(audit, bad), told
    assert failed(audit) <= {bad.gate, *bad.also}, told


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_task_passes_all_gates(name: str, audits: Audits) -> None:
    lacking = NO_EVIDENCE.get(SOUND[name].provenance.kind, set())
    statuses = {gate.gate: gate.status for gate in audits[name].gates}
    wanted = {gate: "no evidence" if gate in lacking else "passed" for gate in GATES}
    assert statuses == wanted


def test_precision_and_recall_are_one(audits: Audits) -> None:
    """Over verdicts (task, gate). Gates that may fail for the same reason count on neither side."""
    caught = sum(says(audits[bad.id], bad) for bad in BAD)
    blamed = sum(len(failed(audits[bad.id]) - {bad.gate, *bad.also}) for bad in BAD)
    blamed += sum(len(failed(audits[name])) for name in SOUND)
    blamed += sum(
        bad.gate in failed(audits[bad.id]) and not says(audits[bad.id], bad) for bad in BAD
    )
    assert caught / len(BAD) == 1.0, "recall"
    assert caught / (caught + blamed) == 1.0, "precision"
