"""Stage *audit*: the benchmark's gates on one draft, in a worker's own sandboxes."""

import asyncio
import hashlib

from clawgym_bench.audit import Settings as AuditSettings
from clawgym_bench.audit import TaskAudit, audit_task
from clawgym_bench.sandbox import Backend
from clawgym_data.pipeline.generate import task_of
from clawgym_data.pipeline.settings import Settings
from clawgym_data.pipeline.stages import Ended, Record, Stage

SECONDS = 900.0
FIRST = ("lint",)
"""Costs next to nothing: a draft that fails here is not played in sandboxes."""
COULD_NOT_RUN = "the gate could not be run"


class Audited(Record):
    """`gates` maps each gate that was run to its status. `failure`: the machine's, not the task's;
    the audit has to be made again."""

    gates: dict[str, str] = {}
    ended: Ended | None = None
    findings: tuple[str, ...] = ()
    failure: str = ""
    seconds: float = 0.0


def sampled(content_hash: str, share: float) -> bool:
    """Whether a draft is in the sample for the costly gates: by its content alone."""
    digest = hashlib.sha256(f"sample {content_hash}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def gates_for(content_hash: str, settings: Settings) -> tuple[str, ...]:
    more = settings.sampled_gates if sampled(content_hash, settings.mutant_share) else ()
    return tuple(dict.fromkeys((*settings.gates, *more)))


async def audit_draft(
    blob: bytes, content_hash: str, settings: Settings, backend: Backend
) -> Audited:
    gates = gates_for(content_hash, settings)
    if not gates:
        return Audited()
    task = task_of(blob)
    audited = Audited()
    for part in (FIRST, tuple(gate for gate in gates if gate not in FIRST)):
        wanted = AuditSettings(settings.sandbox, tuple(gate for gate in part if gate in gates))
        if not wanted.gates:
            continue
        try:
            audit = await asyncio.wait_for(audit_task(task, backend, wanted), SECONDS)
        except TimeoutError:
            return Audited(failure=f"the audit took longer than {SECONDS:.0f} s")
        found = judged(audit)
        audited = found.model_copy(
            update={
                "gates": {**audited.gates, **found.gates},
                "seconds": round(audited.seconds + found.seconds, 3),
            }
        )
        if audited.ended or audited.failure:
            break
    return audited


def judged(audit: TaskAudit) -> Audited:
    """Passed when every gate has; where several have not, the first gives the reason."""
    statuses = {gate.gate: gate.status for gate in audit.gates}
    seconds = round(sum(gate.seconds for gate in audit.gates), 3)
    wrong = [gate for gate in audit.gates if gate.status not in ("passed", "not applicable")]
    for gate in wrong:
        broken = [found for found in gate.findings if found.evidence.startswith(COULD_NOT_RUN)]
        if broken:
            return Audited(failure=f"{gate.gate}: {broken[0].evidence}", seconds=seconds)
    if not wrong:
        return Audited(gates=statuses, seconds=seconds)
    findings = tuple(
        f"{gate.gate}: {found.evidence}" + (f" → {found.remedy}" if found.remedy else "")
        for gate in wrong
        for found in gate.findings
        if found.severity == "error" or gate.status == "no evidence"
    )
    reason = wrong[0].gate if wrong[0].status == "failed" else f"{wrong[0].gate}: no evidence"
    detail = findings[0] if findings else ""
    ended = Ended(stage=Stage.AUDIT, reason=reason, detail=detail)
    return Audited(gates=statuses, ended=ended, findings=findings, seconds=seconds)
