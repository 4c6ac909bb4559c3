"""Verifies a submission: what it claims must follow from what it holds.

Every workspace is graded again with the checks of the task set installed here, and the recorded
calls are played again to see that the workspace follows from them. What is found is either a
reason to refuse or a note. A submission is hostile data: nothing of it is run outside a sandbox,
and what is read is bounded (log_archive.py, submission.py).

What cannot be verified without the model: that the named model said what the transcript says, and
the judge's verdicts, which are kept as recorded.
"""

import asyncio
import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    resolve_sample_attachments,
)

from clawgym_bench.agents.claw import VERSION
from clawgym_bench.agents.reference import REFERENCE_AGENTS
from clawgym_bench.board.cheating import traces
from clawgym_bench.board.leaks import Leak, find_leaks, texts, unique
from clawgym_bench.board.log_archive import LIMITS, LogLimits, lean, write_anew
from clawgym_bench.board.replay import recorded, replay
from clawgym_bench.board.result import RunResult, result_of_log
from clawgym_bench.board.submission import Run, leaks_of_member, open_submission
from clawgym_bench.checks.base import StrictModel
from clawgym_bench.errors import InputError
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.fault import METADATA_KEY
from clawgym_bench.grading import grade
from clawgym_bench.regrade import SCORER, regrade_sample
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.sandbox.backends import BackendName
from clawgym_bench.sandbox.choices import OWN, SANDBOXES, grading_backend, probe
from clawgym_bench.sandbox.inspect_provider import ClawSandboxConfig
from clawgym_bench.scorer import EVIDENCE_KEY
from clawgym_bench.task import Task
from clawgym_bench.taskset import TaskSet, task_set

TOLERANCE = 2e-6
"""Scores are recorded to six places."""
MOST_LOST = 0.02
"""Of all trials, so many may have ended without a score and not by the agent's fault."""
SHOWN = 5
AT_ONCE = 4
"""So many samples are in memory, and so many sandboxes at work."""

Kind = Literal[
    "score", "workspace", "completeness", "infrastructure", "task-set", "task", "limits",
    "agent", "harness", "hidden-read", "answers", "leak", "result", "rubric", "replay",
]  # fmt: skip
NOTES = frozenset({"infrastructure", "rubric", "replay"})


class Finding(StrictModel):
    """One thing that was found. A `note` does not refuse."""

    kind: Kind
    detail: str
    task: str = ""
    epoch: int | None = None
    note: bool = False

    def __str__(self) -> str:
        where = f"{self.task}, epoch {self.epoch}: " if self.task else ""
        return f"{self.kind}: {where}{self.detail}"


class Verification(StrictModel):
    """The outcome for one run, as `--json` writes it."""

    schema_version: Literal[1] = 1
    run: str
    status: Literal["verified", "refused"]
    model: str = ""
    agent: str = ""
    task_set_hash: str = ""
    samples: int = 0
    graded_again: int = 0
    replayed: int = 0
    score: float | None = None
    """The mean over the tasks that the grading again gives."""
    findings: list[Finding] = []
    clawgym: str = ""

    @property
    def reasons(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.note]


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
        findings += _run_facts(header, result, known)
        findings += _completeness(result, summaries, known)
        findings += _claims(run.claimed, result)
        backend = await asyncio.to_thread(_backend, sandbox, result.sandbox)
        checker = _Samples(log, header, known, backend, replayed)
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


def _run_facts(header: EvalLog, result: RunResult, known: TaskSet) -> Iterator[Finding]:
    """What the log says about the run as a whole."""

    def refuse(kind: Kind, detail: str) -> Finding:
        return Finding(kind=kind, detail=detail)

    if header.status != "success":
        yield refuse("completeness", f"the run ended with status {header.status!r}")
    if result.subset:
        chosen = ", ".join(f"{name}={value}" for name, value in result.subset.items())
        yield refuse("completeness", f"the run was of a part of the set: {chosen}")
    if result.task_set_hash != known.content_hash:
        yield refuse(
            "task-set",
            f"it was run on another task set ({result.task_set_hash[:12]}; "
            f"this one is {known.content_hash[:12]})",
        )
    agents = ("claw", *REFERENCE_AGENTS)
    if result.agent not in agents:
        yield refuse("agent", f"no agent {result.agent!r} is known here")
    elif result.agent_version != VERSION:
        yield refuse(
            "agent", f"version {result.agent_version or '(none)'} of the agent; here is {VERSION}"
        )
    if result.sandbox not in SANDBOXES:
        yield refuse("agent", f"no sandbox {result.sandbox!r} is known here")
    if (result.agent == "claw") == result.model.startswith("none/"):
        yield refuse("agent", f"the agent {result.agent} cannot be with the model {result.model}")
    steps = [(step.solver.split("/")[-1], step.params) for step in header.plan.steps]
    names = [name for name, _ in steps]
    if names != ["place_workspace", "claw" if result.agent == "claw" else "scripted"]:
        yield refuse("harness", f"the plan is {' → '.join(names) or 'empty'}, not this agent's")
    elif result.agent != "claw" and steps[1][1].get("name") != result.agent:
        yield refuse("harness", f"the plan plays {steps[1][1].get('name')!r}")
    scorers = {scorer.name.split("/")[-1]: scorer.options or {} for scorer in _scorers(header)}
    if set(scorers) != {SCORER}:
        yield refuse("harness", f"scored by {', '.join(scorers) or 'nothing'}, not by {SCORER}")
    for name, value in result.limits.items():
        yield refuse("limits", f"the run had a {name} of its own: {value}")


def _scorers(header: EvalLog) -> Sequence[Any]:
    return header.eval.scorers or []


def _completeness(
    result: RunResult, summaries: Sequence[EvalSampleSummary], known: TaskSet
) -> Iterator[Finding]:
    """All tasks, each with all epochs, once."""
    there = {task.id: task for task in result.tasks}
    if missing := [name for name in known if name not in there]:
        yield Finding(
            kind="completeness",
            detail=f"{len(missing)} of {len(known)} tasks are missing: {_named(missing)}",
        )
    if strange := sorted(set(there) - set(known)):
        yield Finding(kind="task", detail=f"tasks that are not in the set: {_named(strange)}")
    wanted = list(range(1, result.epochs + 1))
    uneven = [
        name for name, task in there.items() if [trial.epoch for trial in task.trials] != wanted
    ]
    if uneven:
        yield Finding(
            kind="completeness",
            detail=f"tasks without exactly the epochs 1 to {result.epochs}: {_named(uneven)}",
        )
    lost = [
        (str(summary.id), summary.epoch, summary.error) for summary in summaries if summary.error
    ]
    for name, epoch, error in lost:
        yield Finding(
            kind="infrastructure", task=name, epoch=epoch, detail=str(error)[:300], note=True
        )
    if result.unscored > MOST_LOST * result.trials:
        yield Finding(
            kind="completeness",
            detail=f"{result.unscored} of {result.trials} trials have no score; "
            f"at most {MOST_LOST:.0%} may lack one (`inspect eval-retry` runs them again)",
        )
    without = [name for name, task in there.items() if task.score is None]
    if without:
        yield Finding(kind="completeness", detail=f"tasks without any score: {_named(without)}")


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


CLAIMS = (
    "run", "created", "model", "agent", "agent_version", "task", "task_set_hash", "epochs",
    "sandbox", "judge", "limits", "seed", "generate", "subset", "seconds",
)  # fmt: skip


def _claims(claimed: RunResult | None, result: RunResult) -> Iterator[Finding]:
    """The row of the board must say what the log says."""
    if claimed is None:
        return
    for name in CLAIMS:
        said, there = getattr(claimed, name), getattr(result, name)
        if said != there:
            yield Finding(
                kind="result", detail=f"result.json says {name} {said!r}, its log says {there!r}"
            )
    old, new = ({task.id: task for task in run.tasks} for run in (claimed, result))
    if old.keys() != new.keys():
        yield Finding(kind="result", detail="result.json has other tasks than its log")
    for name in sorted(old.keys() & new.keys()):
        for said, there in zip(old[name].trials, new[name].trials, strict=False):
            if said != there:
                yield Finding(
                    kind="score" if said.score != there.score else "result",
                    task=name,
                    epoch=there.epoch,
                    detail=f"result.json says {_shown(said.score)}, "
                    f"its log says {_shown(there.score)}"
                    if said.score != there.score
                    else "result.json says other figures than its log",
                )
        if len(old[name].trials) != len(new[name].trials):
            yield Finding(kind="result", detail=f"{name}: result.json has other epochs")


class _Samples:
    """Checks the samples of one run, one in memory at a time."""

    def __init__(
        self, log: Path, header: EvalLog, known: TaskSet, backend: Backend, replayed: bool
    ) -> None:
        self.graded = self.replayed = 0
        self._log, self._header, self._known = log, header, known
        self._backend, self._replay = backend, replayed
        self._scores: dict[str, list[float]] = {}
        self._kept_verdicts = 0
        self._other_results: Counter[str] = Counter()
        self._agent = str((header.eval.metadata or {}).get("agent", ""))
        self._judged = bool(header.eval.model_roles and "grader" in header.eval.model_roles)

    async def check(self, summary: EvalSampleSummary) -> list[Finding]:
        name, epoch = str(summary.id), summary.epoch
        task = self._known.get(name)
        if task is None:
            return []
        try:
            sample = resolve_sample_attachments(
                read_eval_log_sample(str(self._log), id=summary.id, epoch=epoch), "full"
            )
        except Exception as error:  # as above
            raise InputError(f"{name}, epoch {epoch}: cannot be read: {error}") from error
        try:
            seen = await self._found(sample, summary, task)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise InputError(f"{name}, epoch {epoch}: has another form: {error!r}") from error
        return [
            Finding(kind=kind, task=name, epoch=epoch, detail=detail, note=kind in NOTES)
            for kind, detail in seen
        ]

    async def _found(
        self, sample: EvalSample, summary: EvalSampleSummary, task: Task
    ) -> list[tuple[Kind, str]]:
        found: list[tuple[Kind, str]] = [*_declared(sample, task)]
        claimed, listed = value_of(sample.scores), value_of(summary.scores)
        if not _same(claimed, listed):
            found.append(("score", f"{_of(listed)} in the summary, {_of(claimed)} in the sample"))
        found += [
            (trace.kind, trace.detail)  # type: ignore[misc]
            for trace in traces(sample, task, self._agent)
        ]
        score = (sample.scores or {}).get(SCORER)
        if score is None:
            return found
        stored = score.metadata or {}
        if stored.get(METADATA_KEY):
            if claimed.get("score") != 0 or sample.metadata.get(METADATA_KEY) is None:
                found.append(("score", "it says that its sandbox died, and is scored all the same"))
            self._scores.setdefault(task.id, []).append(0.0)
            return found
        found += self._judgement(task, stored)
        found += _transcript(sample, task)
        change = await regrade_sample(sample, self._known, self._backend)
        again = value_of(sample.scores)
        if change.note.startswith("not graded again"):
            found.append(("workspace", change.note))
            return found
        self.graded += 1
        if "score" in again:
            self._scores.setdefault(task.id, []).append(again["score"])
        if not _same(claimed, again):
            found.append(("score", f"it claims {_of(claimed)}; grading again gives {_of(again)}"))
        elif self._replay and "score" in again:
            found += await self._replayed(sample, task, again)
        return found

    def _judgement(self, task: Task, stored: Mapping[str, Any]) -> Iterator[tuple[Kind, str]]:
        status = stored.get("rubric_status", "none")
        if status == "scored":
            if not task.hybrid or not self._judged:
                yield "score", "it has verdicts although nobody judged"
            self._kept_verdicts += 1
        elif task.hybrid and self._judged and stored.get("status") == "scored":
            yield "score", "a judge was named, and this hybrid task has no verdicts"

    async def _replayed(
        self, sample: EvalSample, task: Task, again: Mapping[str, float]
    ) -> list[tuple[Kind, str]]:
        found: list[tuple[Kind, str]] = []
        done = await replay(sample, task, self._backend)
        self.replayed += 1
        if self._agent == "claw" and done.other_prompts:
            sessions = ", ".join(map(str, done.other_prompts))
            found.append(("harness", f"session {sessions}: not this agent's system prompt"))
        if done.other_results:
            self._other_results[task.id] += done.other_results
        stored = _evidence(sample)
        if done.evidence is None:
            found.append(("workspace", f"its calls cannot be played to the end: {done.fault}"))
            return found
        files = {**task.inputs, **_unpacked(task, stored)}
        for path in stored.get("removed") or ():
            files.pop(path, None)
        if dict(done.evidence.snapshot.files) == files:
            return found
        commands = None
        if runs_something(task):
            commands = await run_commands(
                task, done.evidence.snapshot, self._backend, done.evidence.messages
            )
        graded = await asyncio.to_thread(grade, task, done.evidence, commands)
        if graded.checks is None or graded.checks < again.get("checks", 0.0) - TOLERANCE:
            paths = sorted(
                path
                for path in files.keys() | done.evidence.snapshot.files.keys()
                if files.get(path) != done.evidence.snapshot.files.get(path)
            )
            found.append((
                "workspace",
                "the stored files do not follow from the recorded calls: "
                f"checks {_shown(graded.checks)} when they are played again, "
                f"{again['checks']:.3f} as stored ({_named(paths)})",
            ))  # fmt: skip
        else:
            found.append(("replay", "other bytes when its calls are played again, same points"))
        return found

    def overall(self) -> Iterator[Finding]:
        if self._kept_verdicts:
            yield Finding(
                kind="rubric",
                detail=f"the verdicts of {self._kept_verdicts} samples are kept as recorded",
                note=True,
            )
        if self._other_results:
            yield Finding(
                kind="replay",
                detail=f"{sum(self._other_results.values())} tool results read otherwise when "
                f"played again, in {_named(sorted(self._other_results))}",
                note=True,
            )
        if self._header.results and (said := _headline(self._header)) is not None:
            scores = [score for found in self._scores.values() for score in found]
            if scores and abs(sum(scores) / len(scores) - said) > 1e-4:
                yield Finding(
                    kind="score",
                    detail=f"the log's mean score is {said:.4f}; its samples, graded again, "
                    f"have {sum(scores) / len(scores):.4f}",
                )

    def mean(self) -> float | None:
        means = [sum(found) / len(found) for found in self._scores.values()]
        return sum(means) / len(means) if means else None


def _declared(sample: EvalSample, task: Task) -> Iterator[tuple[Kind, str]]:
    """What the sample says about its task."""
    said = sample.metadata
    if said.get("hash") != task.content_hash:
        yield "task", f"another content of the task ({str(said.get('hash'))[:12]})"
    if said.get("limits") != task.limits.model_dump():
        yield "limits", "other limits than the task's"
    config = sample.sandbox.config if sample.sandbox else None
    if isinstance(config, ClawSandboxConfig) and config.resources != task.resources:
        yield "limits", "another sandbox than the task's limits give"
    if sample.working_time and sample.working_time > task.limits.seconds * 1.5 + 60:
        yield "limits", f"{sample.working_time:.0f} s of work; the task has {task.limits.seconds}"


def _transcript(sample: EvalSample, task: Task) -> Iterator[tuple[Kind, str]]:
    """The record that is graded must be of this conversation."""
    messages, calls = recorded(sample, task)
    record = _evidence(sample)
    if list(record.get("messages") or []) != messages:
        yield "workspace", "the stored final messages are not those of the transcript"
    plain = [
        {"session": c.session, "tool": c.tool, "arguments": dict(c.arguments), "error": c.error}
        for c in calls
    ]
    if list(record.get("calls") or []) != plain:
        yield "workspace", "the stored tool calls are not those of the transcript"


def _evidence(sample: EvalSample) -> Mapping[str, Any]:
    record = sample.store.get(EVIDENCE_KEY)
    return record if isinstance(record, dict) else {}


def _unpacked(task: Task, record: Mapping[str, Any]) -> dict[str, bytes]:
    from clawgym_bench.evidence import unpacked_files

    return unpacked_files(str(record["files"]))


def value_of(scores: Mapping[str, Any] | None) -> dict[str, float]:
    """The parts of the score that are numbers; empty when there is none."""
    score = (scores or {}).get(SCORER)
    value = score.value if score is not None else None
    if not isinstance(value, dict):
        return {}
    return {
        name: float(part)
        for name, part in value.items()
        if isinstance(part, int | float) and not math.isnan(part)
    }


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        abs(one[name] - other[name]) <= TOLERANCE for name in one
    )


def _of(value: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {part:.3f}" for name, part in value.items()) or "no score"


def _shown(score: float | None) -> str:
    return "no score" if score is None else f"{score:.3f}"


def _headline(header: EvalLog) -> float | None:
    for score in header.results.scores if header.results else []:
        if score.name == "score" and "mean" in score.metrics:
            value = score.metrics["mean"].value
            return float(value) if not math.isnan(value) else None
    return None
