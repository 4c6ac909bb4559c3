"""Programs to write and to mend; graded by running them on files that the agent has not seen."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.programs import PROGRAMS, Bug, Program, run
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Value
from clawgym_data.compose.world import World

CASES = 3


@dataclass(frozen=True)
class Drawn:
    """A program with its parameters, the hidden inputs and one that the agent sees."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    sample: str
    hidden: tuple[str, ...]

    @property
    def program(self) -> Program:
        return PROGRAMS[self.name]

    def expected(self, text: str) -> str:
        return "\n".join(self.program.truth(text, dict(self.parameters))) + "\n"

    def source(self, bug: Bug | None = None) -> str:
        return self.program.text(dict(self.parameters), bug)


def draw(chance: random.Random) -> Drawn:
    """Raises `ValueError` when a program's source and its truth disagree: a defect of ours."""
    entry = PROGRAMS[chance.choice(sorted(PROGRAMS))]
    parameters = entry.draw(chance)
    texts = [entry.case(chance, parameters) for _ in range(CASES + 1)]
    drawn = Drawn(entry.name, tuple(parameters.items()), texts[0], tuple(texts[1:]))
    for text in texts:
        if run(drawn.source(), text) != drawn.expected(text):
            raise ValueError(f"{entry.name}: source and truth disagree on {text!r}")
    return drawn


def command_check(path: str, stem: str, drawn: Drawn) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The check that runs the program on each hidden file, and its hidden files."""
    hidden: dict[str, bytes] = {}
    cases = []
    for number, text in enumerate(drawn.hidden, 1):
        given, expected = f"hidden/{stem}-{number}.txt", f"expected/{stem}-{number}.out"
        hidden[given] = text.encode()
        hidden[expected] = drawn.expected(text).encode()
        name = f"case-{number}.txt"
        lines = {"text": {"path": "@stdout", "equals_file": expected}}
        cases.append({"args": [name], "files": {name: given}, "expect": [lines]})
    body = {"run": ["python3", "-B", path], "seconds": 20, "cases": cases}
    return {"command": body, "weight": 3}, hidden


def write_source(path: str, source: str) -> str:
    return f"Path(folder({path!r})).write_text({source!r})"


@skill("write-program", "write-code", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class WriteProgram(Skill):
    """A command line program from its description and one example."""

    path: str
    sample: str
    drawn: Drawn

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        drawn = draw(world.random)
        path = world.path(drawn.name.replace("-", "_"), ".py", "tools", "scripts", "bin")
        sample = world.path(f"{drawn.name} sample", ".txt", "samples", "examples")
        return cls(path.replace("-", "_"), sample, drawn)

    def detail(self) -> str:
        return self.drawn.name

    def apply(self, inputs: Sequence[Value]) -> Step:
        program = self.drawn.program
        check, hidden = command_check(self.path, self.drawn.name, self.drawn)
        out = self.sample.replace(".txt", ".out")
        files = {
            self.sample: self.drawn.sample.encode(),
            out: self.drawn.expected(self.drawn.sample).encode(),
        }
        said = program.said(dict(self.drawn.parameters))
        do = (
            f"write a Python program `{self.path}` that {program.purpose}, called as "
            f"`python3 {self.path} FILE`",
            f"I need a small program, `{self.path}`, run as `python3 {self.path} FILE`, that "
            f"{program.purpose}",
        )
        rules = (said, f"`{self.sample}` is an example, and `{out}` is what it must print for it.")
        output = Output(path=self.path, format="python", note="Standard library only.")
        deliver = Deliverable(self.path, do[0], (output,), (check,), hidden=hidden)
        code = write_source(self.path, self.drawn.source())
        return Step(None, Say(do=do[:1]), code, ("folder",), files, rules=rules, deliver=deliver)


@skill("fix-program", "fix-code", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class FixProgram(Skill):
    """A program that does something else than its description in one respect."""

    path: str
    notes: str
    drawn: Drawn
    bug: Bug

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        drawn = draw(world.random)
        bugs = [
            bug
            for bug in drawn.program.bugs
            if any(run(drawn.source(bug), text) != drawn.expected(text) for text in drawn.hidden)
        ]
        if not bugs:
            return None
        bug = world.random.choice(bugs)
        path = world.path(drawn.name.replace("-", "_"), ".py", "tools", "scripts", "src")
        notes = world.path(f"{drawn.name}", ".md", "docs", "tools/docs")
        return cls(path.replace("-", "_"), notes, drawn, bug)

    def detail(self) -> str:
        number = self.drawn.program.bugs.index(self.bug)
        return f"{self.drawn.name}/{number}"

    def apply(self, inputs: Sequence[Value]) -> Step:
        program = self.drawn.program
        check, hidden = command_check(self.path, self.drawn.name, self.drawn)
        parameters = dict(self.drawn.parameters)
        title = self.drawn.name.replace("-", " ").capitalize()
        said = f"# {title}\n\n`{self.path}` {program.purpose}.\n\n{program.said(parameters)}\n"
        files = {
            self.path: self.drawn.source(self.bug).encode(),
            self.notes: said.encode(),
            f"samples/{self.drawn.name}.txt": self.drawn.sample.encode(),
        }
        symptom = self.bug.symptom
        for name, value in parameters.items():
            symptom = symptom.replace(f"${name}", value)
        do = (
            f"mend `{self.path}`: {symptom}, which is not what `{self.notes}` says",
            f"find out why in `{self.path}` {symptom} and correct the program so that it does "
            f"what `{self.notes}` describes",
        )
        deliver = Deliverable(self.path, do[0], (), (check,), hidden=hidden, editable=(self.path,))
        code = write_source(self.path, self.drawn.source())
        return Step(None, Say(do=do), code, ("folder",), files, deliver=deliver)
