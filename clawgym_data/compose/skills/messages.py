"""Sinks in prose: a note, an answer in the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Fact, Facts, Value, plain
from clawgym_data.compose.world import World


def fact_check(fact: Fact) -> dict[str, Any]:
    """A fact as checks on text take it."""
    value: Any = fact.value
    if isinstance(value, Decimal):
        value = float(value)
    elif not isinstance(value, int | str):
        value = plain(value)
    check: dict[str, Any] = {"label": list(fact.labels), "value": value, "near": "sentence"}
    if isinstance(fact.value, Decimal):
        check["decimals"] = fact.decimals
    return check


def sentence(fact: Fact) -> str:
    unit = f" {fact.unit}" if fact.unit else ""
    label = fact.labels[0]
    return f"The {label} is {plain(fact.value, fact.decimals)}{unit}."


def asked(facts: Facts) -> str:
    phrases = [fact.asked for fact in facts.facts]
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " and " + phrases[-1]


@skill("write-note", "write-prose", takes=(Facts,), gives=None, sink=True)
@dataclass(frozen=True)
class WriteNote(Skill):
    path: str
    words: int

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        path = world.path(f"{facts.about} note", ".md", "out", "notes", "report")
        return cls(path, world.random.choice((60, 80, 100)))

    def apply(self, inputs: Sequence[Value]) -> Step:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        check = {
            "text": {
                "path": self.path,
                "facts": [fact_check(fact) for fact in facts.facts],
                "words": {"max": self.words},
            },
            "weight": 2,
        }
        code = ["«out» = []"]
        for fact in facts.facts:
            unit = f" {fact.unit}" if fact.unit else ""
            shown = f"plain(«0»[{fact.name!r}], {fact.decimals})"
            head, tail = f"The {fact.labels[0]} is ", f"{unit}."
            code.append(f"«out».append({head!r} + {shown} + {tail!r})")
        code.append(f"write_lines({self.path!r}, «out»)")
        output = Output(path=self.path, format="markdown", note=f"At most {self.words} words.")
        deliver = Deliverable(self.path, asked(facts), (output,), (check,))
        say = Say(do=(f"write {asked(facts)} into a short note, `{self.path}`",))
        return Step(None, say, "\n".join(code), ("write_lines", "plain"), deliver=deliver)


@skill("answer", "answer-question", takes=(Facts,), gives=None, sink=True)
@dataclass(frozen=True)
class Answer(Skill):
    """The values are said in the final message. No code: the message is text."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        return cls()

    def apply(self, inputs: Sequence[Value]) -> Step:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        check = {
            "message": {"facts": [fact_check(fact) for fact in facts.facts], "words": {"max": 120}},
            "weight": 1,
        }
        message = "\n".join(sentence(fact) for fact in facts.facts)
        deliver = Deliverable("", asked(facts), (), (check,), message=message)
        return Step(None, Say(do=(f"tell me {asked(facts)}",)), deliver=deliver)
