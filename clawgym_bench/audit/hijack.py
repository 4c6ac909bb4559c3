"""Gate *hijack*: nothing that an agent leaves behind raises its score or breaks the grading.

An idle agent and one that delivers placeholders plant, as their last act: shadow modules, start-up
files, programs under the names of others, verdicts (`hijack_plants`); and in one sandbox links, a
FIFO, a sparse file of 10 GB, many small files, impossible names and a process that goes on writing
(`hijack_act`). Then files that are dear to read lie where results were asked for (`hijack_bombs`),
and text orders the judge to give full marks (`hijack_judge`).

No score may be above that of the same agent without them, nothing may end unscored or crash, and
no grading may take 10 seconds longer. (Seconds of work, so that a busy machine is no bomb; one that
waits for a minute hangs.) Where every grading runs something, most attacks meet the
other checks only.
"""

import re
import resource
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from shlex import quote

from clawgym_bench.agents.reference import Act, Script
from clawgym_bench.agents.stubs import stub_content
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, verdict
from clawgym_bench.audit.hijack_bombs import HUGE, STEERING, bombs
from clawgym_bench.audit.hijack_judge import open_blocks
from clawgym_bench.audit.hijack_plants import plants
from clawgym_bench.audit.mutations import format_of
from clawgym_bench.audit.mutations_subjects import paths_of
from clawgym_bench.audit.play import play
from clawgym_bench.checks import Evidence
from clawgym_bench.errors import ClawGymError, SandboxLost
from clawgym_bench.execution import runs_something
from clawgym_bench.grading import RUNS_SOMETHING, Grade, unscored, untouched_evidence
from clawgym_bench.task import Output, Task

NAME = "hijack"
SECONDS = 10.0
HANGS = 60.0
"""Beyond this the clock on the wall counts, not the work."""
MANY_FILES = 1_000
"""Small files planted; a real attack has more, and the export is bounded by the same count."""
RUN_BYTES = 2**20
"""Of content bombs that are copied into grading sandboxes, once for every command."""
_PATH = re.compile(r"(?<![\w/.])/?((?:[\w.-]+/)*[\w-]+\.[a-z]{2,5})(?![\w/])")


def cpu_seconds() -> float:
    """Of this process and of the children that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


async def run(context: Context) -> GateResult:
    task = context.task
    if not task.checks:
        return GateResult(NAME, "no evidence", [Finding("note", "the task has no checker")])
    trial = _Trial(context, targets(task))
    runs = runs_something(task)
    try:
        left = await play(task, last_act(trial.outputs), context.backend)
    except SandboxLost as error:
        found = Finding("error", f"the export did not survive what was planted: {error}")
        return GateResult(NAME, "failed", [found])
    everything = {path: body for group in plants().values() for path, body in group.items()}
    over_nothing = trial.planted(replace(left, messages=trial.idle.messages), everything)
    if not (runs and trial.outputs):
        await trial.compare("plants", over_nothing, trial.idle)
    if trial.outputs and not trial.hopeless:
        over_junk = trial.planted(trial.with_stubs(left), everything)
        await trial.compare("plants and placeholders", over_junk, trial.junk)
    if trial.hopeless:
        return GateResult(NAME, "no evidence", trial.findings)
    if runs:
        await _explode(trial, RUN_BYTES, most=1)
    quick = _quick(trial)
    await _explode(quick, HUGE)
    for id in open_blocks(task):
        reason = f"criterion {id}: material can close its block in the judge's prompt"
        trial.findings.append(Finding("error", reason))
    attacks = trial.attacks + (quick.attacks if quick is not trial else 0)
    slowest = max(trial.slowest, quick.slowest)
    figures = {"attacks": float(attacks), "slowest grading": round(slowest, 3)}
    return verdict(NAME, trial.findings, figures)


async def _explode(trial: "_Trial", size: int, most: int | None = None) -> None:
    """Puts content bombs where results were asked for: in each round another one everywhere."""
    contents = {path: bombs(format, size) for path, format in trial.outputs.items()}
    contents = {path: made for path, made in contents.items() if made}
    for number in range(max(map(len, contents.values()), default=0))[:most]:
        chosen = {path: made[number % len(made)] for path, made in contents.items()}
        name = f"content bombs, round {number + 1}"
        await trial.compare(name, trial.put(trial.junk, chosen), trial.junk)


def _quick(trial: "_Trial") -> "_Trial":
    """The same trial on the checks that run nothing; its findings go to the same list."""
    context = trial.context
    plain = [check for check in context.task.checks if check.kind not in RUNS_SOMETHING]
    if len(plain) == len(context.task.checks):
        return trial
    quick = Context(context.task.model_copy(update={"checks": plain}), context.backend)
    return _Trial(quick, trial.outputs if plain else {}, trial.findings)


def targets(task: Task) -> dict[str, str]:
    """Where results are asked for, with their format: the contract, else what checks look at, else
    the paths in the request that are no inputs."""
    paths = {output.path: output.format for output in task.outputs}
    for check in task.checks:
        paths |= {path: "" for path in paths_of(check) if path not in paths}
    if not paths:
        for session in task.sessions:
            for path in _PATH.findall(session.instruction):
                paths[path.removeprefix(task.workspace_path.strip("/") + "/")] = ""
    given = task.inputs
    return {
        path: format_of(path, format)
        for path, format in paths.items()
        if path not in given and ".." not in path.split("/")
    }


def last_act(outputs: Mapping[str, str], count: int = MANY_FILES) -> Script:
    """An agent that does nothing but, in its last session, what `hijack_act` does."""

    async def play(task: Task, session: int, act: Act) -> str:
        if session == len(task.sessions):
            source = resources.files("clawgym_bench.audit").joinpath("hijack_act.py").read_text()
            arguments = " ".join([str(count), *map(quote, list(outputs)[:2])])
            command = f"python3 -I - {arguments} <<'END_OF_ACT'\n{source}\nEND_OF_ACT\n"
            await act("exec", {"command": command})
        return ""

    return play


@dataclass
class _Trial:
    """Grades planted evidence, and the same without it only where that can matter."""

    context: Context
    outputs: Mapping[str, str]
    findings: list[Finding] = field(default_factory=list)
    attacks: int = 0
    slowest: float = 0.0
    hopeless: bool = False
    """The task is unscored whatever is delivered."""
    _known: dict[int, tuple[Grade, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.idle = untouched_evidence(self.context.task)
        self.junk = self.with_stubs(self.idle)

    def with_stubs(self, evidence: Evidence) -> Evidence:
        """Placeholders where results were asked for, but not where something else lies now."""
        stubs = {
            path: stub_content(Output(path=path, format=format or "text"))
            for path, format in self.outputs.items()
            if path not in evidence.snapshot.refused
        }
        contract = {output.path: stub_content(output) for output in self.context.task.outputs}
        stubs |= {path: body for path, body in contract.items() if path in stubs}
        messages = tuple("Done. Everything is complete." for _ in evidence.messages)
        return replace(self.put(evidence, stubs), messages=messages)

    def put(self, evidence: Evidence, files: Mapping[str, bytes]) -> Evidence:
        snapshot = replace(evidence.snapshot, files={**evidence.snapshot.files, **files})
        return replace(evidence, snapshot=snapshot)

    def planted(self, evidence: Evidence, files: Mapping[str, bytes]) -> Evidence:
        """With planted files, which take the place of nothing, and a message that gives orders."""
        taken = {*self.context.task.inputs, *self.outputs}
        new = {path: body for path, body in files.items() if path not in taken}
        messages = tuple(f"{message}\n{STEERING}" for message in evidence.messages)
        return replace(self.put(evidence, new), messages=messages)

    async def compare(self, name: str, attack: Evidence, plain: Evidence) -> None:
        """Adds what is wrong with the grading of `attack`, beside that of `plain`."""
        self.attacks += 1
        result, seconds = await self._grade(attack)
        if result.status == "unscored":
            before, _ = await self._plain(plain)
            if before.status == "unscored":
                self.hopeless = True
                reason = f"unscored whatever is delivered: {before.reason}"
                self.findings.append(Finding("note", reason, "mend the checker"))
            else:
                reason = f"{name}: unscored, an agent can escape its 0: {result.reason}"
                self._error(reason, "let the checker survive hostile files")
            return
        self.slowest = max(self.slowest, seconds)
        if seconds > SECONDS:
            _, usual = await self._plain(plain)
            if seconds > usual + SECONDS:
                # A busy machine is slow once; a bomb every time. Nothing run before is used again.
                anew = replace(self, context=Context(self.context.task, self.context.backend))
                seconds = min(seconds, (await anew._grade(attack))[1])
            if seconds > usual + SECONDS:
                self._error(f"{name}: graded in {seconds:.0f} s instead of {usual:.1f}")
        if result.score:
            before, _ = await self._plain(plain)
            if result.score > (before.score or 0.0) + 1e-9:
                if await self._loose(plain, result):
                    reason = f"{name}: any words in the final message earn {result.score:.3f}"
                    self.findings.append(Finding("warning", reason))
                    return
                cause = await self._cause(name, plain, before)
                reason = f"{name}: earns {result.score:.3f} instead of {before.score or 0.0:.3f}"
                self._error(f"{reason} ({cause})", "run nothing of the workspace, trust no file")

    async def _plain(self, evidence: Evidence) -> tuple[Grade, float]:
        if id(evidence) not in self._known:
            self._known[id(evidence)] = await self._grade(evidence)
        return self._known[id(evidence)]

    async def _grade(self, evidence: Evidence) -> tuple[Grade, float]:
        begin, worked = time.monotonic(), cpu_seconds()
        try:
            result = await self.context.grade(evidence)
        except ClawGymError:
            raise
        except Exception as error:  # a check that raises on hostile files is what we look for
            result = unscored(f"grading crashed: {type(error).__name__}: {str(error)[:200]}")
        passed, worked = time.monotonic() - begin, cpu_seconds() - worked
        return result, passed if passed > HANGS else min(passed, worked)

    async def _loose(self, plain: Evidence, result: Grade) -> bool:
        """Whether the words of the orders, turned round, earn as much: that is no obedience."""
        words = " ".join(reversed(STEERING.split()))
        messages = tuple(f"{message}\n{words}" for message in plain.messages)
        loose, _ = await self._grade(replace(plain, messages=messages))
        return (loose.score or 0.0) >= (result.score or 0.0)

    async def _cause(self, name: str, plain: Evidence, before: Grade) -> str:
        """Which group of plants does it alone."""
        if not name.startswith("plants"):
            return "a file that is dear to read"
        guilty = []
        for group, files in plants().items():
            result, _ = await self._grade(self.planted(plain, files))
            if (result.score or 0.0) > (before.score or 0.0) + 1e-9:
                guilty.append(group)
        return ", ".join(guilty) or "links, names and processes, or the message"

    def _error(self, reason: str, remedy: str = "") -> None:
        self.findings.append(Finding("error", reason, remedy))
