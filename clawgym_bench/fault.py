"""What a sample keeps of an `AgentFault`: the agent ended its own sandbox."""

from inspect_ai.log import transcript
from inspect_ai.solver import TaskState

from clawgym_bench.conversation import Conversations
from clawgym_bench.errors import AgentFault
from clawgym_bench.grading import Grade
from clawgym_bench.task import Task

METADATA_KEY = "fault"


def note_fault(state: TaskState, fault: AgentFault) -> None:
    """Puts it where the log shows it: the sample's metadata, its sessions, its transcript."""
    if METADATA_KEY not in state.metadata:
        state.metadata[METADATA_KEY] = {"fault": fault.fault, "reason": str(fault)}
        kept = Conversations(state)
        kept.end(f"fault: {fault.fault or fault}")
        transcript().info(state.metadata[METADATA_KEY], source="clawgym")


def nothing_left(task: Task, fault: AgentFault) -> Grade:
    """The grade where the sandbox took the workspace along: there is nothing to earn points."""
    return Grade(
        status="scored",
        reason=f"{fault}: its files are gone",
        score=0.0,
        checks=0.0,
        rubric=None,
        success=False,
        rubric_status="no judge" if task.rubric else "none",
    )
