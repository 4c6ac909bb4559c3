"""What the variants of a task leave behind: what all right answers state was asked for."""

import re
from dataclasses import replace

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.mutations_subjects import PROSE
from clawgym_bench.audit.play import play, solver
from clawgym_bench.checks import Evidence
from clawgym_bench.task import Task, variant_names

_OVERLAY = re.compile(r"(?:(\d+)/)?(?:files/(.+)|(message\.md))")


async def other_answers(context: Context, reference: Evidence) -> list[Evidence]:
    """One evidence per variant, for tasks with prose. Only variants that run something are
    carried out; the others are laid over the reference."""
    task = context.task
    prose = any(output.format in PROSE for output in task.outputs)
    if not prose and not any(check.kind == "message" for check in task.checks):
        return []
    answers = []
    for name in variant_names(task):
        if any(path.endswith(("run.sh", "run.py")) for path in task.tree(f"variants/{name}")):
            answers.append(await play(task, solver(task, name), context.backend))
        else:
            answers.append(_laid_over(task, name, reference))
    return answers


def _laid_over(task: Task, name: str, reference: Evidence) -> Evidence:
    files = dict(reference.snapshot.files)
    messages = list(reference.messages)
    for path, file in task.tree(f"variants/{name}").items():
        match = _OVERLAY.fullmatch(path)
        if match and match[2]:
            files[match[2]] = file.content
        elif match:
            messages[int(match[1] or len(messages)) - 1] = file.content.decode(errors="replace")
    snapshot = replace(reference.snapshot, files=files)
    return replace(reference, snapshot=snapshot, messages=tuple(messages))
