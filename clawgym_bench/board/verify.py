"""Verifies a submission: what it claims must follow from what it holds.

Every workspace is graded again with the checks of the task set installed here, and the recorded
calls are played again to see that the workspace follows from them. What is found is either a
reason to refuse or a note. A submission is hostile data: nothing of it is run outside a sandbox,
and what is read is bounded (log_archive.py, submission.py).

What cannot be verified without the model: that the named model said what the transcript says, and
the judge's verdicts, which are kept as recorded.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

from clawgym_bench.board.claims import claims, completeness, run_facts
from clawgym_bench.board.finding import Finding, Verification
from clawgym_bench.board.leaks import Leak, find_leaks, texts, unique
from clawgym_bench.board.log_archive import LIMITS, LogLimits, lean, trimmed, write_anew
from clawgym_bench.board.result import result_of_log
from clawgym_bench.board.submission import Run, leaks_of_member, open_submission
from clawgym_bench.board.trials import TRIALS, write_trials
from clawgym_bench.board.verify_samples import Samples
from clawgym_bench.errors import InputError
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.sandbox.backends import BackendName
from clawgym_bench.sandbox.choices import OWN, grading_backend, probe
from clawgym_bench.taskset import TaskSet, task_set

AT_ONCE = 4
"""So many samples are in memory, and so many sandboxes at work."""


def verify_submission(
    path: str | Path,
    *,
    tasks: str | None = None,
    sandbox: BackendName | None = None,
    replayed: bool = True,
    limits: LogLimits = LIMITS,
) -> list[Verification]:
    """Verifies every run at `path`: a packed submission, folders of `results/`, or a log.

    `tasks`: the set to verify against, the shipped one by default. `sandbox`: where checks and
    replays run; by default the kind that the run used, else what is found here. Raises
    `InputError` when `path` cannot be read.
    """
    known = task_set(tasks)
    with open_submission(path, limits) as runs:
        return [asyncio.run(_verify_run(run, known, sandbox, replayed, limits)) for run in runs]


async def _verify_run(
    run: Run, known: TaskSet, sandbox: BackendName | None, replayed: bool, limits: LogLimits
) -> Verification:
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log.eval")
        findings += _leaks(run, log, known, limits)
        try:
            header = read_eval_log(str(log), header_only=True)
            summaries = read_eval_log_sample_summaries(str(log))
            result = result_of_log(str(log))
        except InputError:
            raise
        except Exception as error:  # what a stranger wrote can fail Inspect in many ways
            raise InputError(f"{run.name}: cannot be read as an Inspect log: {error}") from error
        findings += run_facts(header, result, known)
        findings += completeness(result, summaries, known)
        findings += claims(run.claimed, result)
        findings += _pages(run, Path(folder), known, limits)
        backend = await asyncio.to_thread(_backend, sandbox, result.sandbox)
        checker = Samples(log, header, known, backend, replayed)
        try:
            for batch in range(0, len(summaries), AT_ONCE):
                checking = map(checker.check, summaries[batch : batch + AT_ONCE])
                for found in await asyncio.gather(*checking):
                    findings += found
        finally:
            await backend.close()
    findings += checker.overall()
    reasons = [finding for finding in findings if not finding.note]
    return Verification(
        run=result.run,
        status="refused" if reasons else "verified",
        model=result.model,
        agent=f"{result.agent} {result.agent_version}".strip(),
        task_set_hash=known.content_hash,
        samples=len(summaries),
        graded_again=checker.graded,
        replayed=checker.replayed,
        score=checker.mean(),
        findings=findings,
        clawgym=version("clawgym"),
    )


def _backend(wanted: BackendName | None, used: str) -> Backend:
    """The wanted one; the kind that the run used where it works here; any other."""
    if wanted is not None:
        return open_backend(wanted)
    for kind in OWN:
        if kind == used and probe(kind).available:
            return open_backend("docker" if kind == "docker" else "bwrap")
    return grading_backend()


def _leaks(run: Run, target: Path, known: TaskSet, limits: LogLimits) -> Iterator[Finding]:
    """Writes the lean log to `target` and finds leaks in the whole one."""
    found: list[Leak] = []

    def change(name: str, data: Any) -> Any:
        found.extend(leaks_of_member(name, data, known))
        return lean(name, data)

    try:
        write_anew(run.log, target, change, limits)
    except (AttributeError, TypeError, RecursionError) as error:
        raise InputError(f"{run.name}: its log has another form: {error}") from error
    if run.claimed is not None:
        found += find_leaks(texts(run.claimed.model_dump(exclude={"tasks"}), "result"))
    for leak in unique(found):
        if leak.secret or leak.text not in run.accepted:
            yield Finding(kind="leak", detail=str(leak))
        else:
            yield Finding(kind="leak", detail=f"{leak}, accepted by who packed it", note=True)


def _pages(run: Run, folder: Path, known: TaskSet, limits: LogLimits) -> Iterator[Finding]:
    """What the site would show of the trials must be what the log gives."""
    if run.trials is None:
        return
    write_anew(run.log, folder / "trimmed.eval", trimmed, limits)
    write_trials(folder / "trimmed.eval", folder / TRIALS, known)
    if run.trials.read_bytes() != (folder / TRIALS).read_bytes():
        yield Finding(
            kind="result",
            detail=f"{TRIALS} is not what its log gives; `clawgym-bench board add` makes it",
        )
