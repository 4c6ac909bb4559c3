"""Sinks in free prose: what they say is checked fact by fact, how they say it by a rubric."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from clawgym_bench.task import Criterion, Output
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.skills.messages import asked, fact_check
from clawgym_data.compose.values import Facts, Value
from clawgym_data.compose.world import World

Piece = Literal["summary", "message", "advice"]
FEWEST, MOST = 40, 160
"""Words."""


def grounded(path: str, what: str) -> Criterion:
    return Criterion(
        id="grounded",
        criterion=f"What the text says of {what} is borne out by the figures that were asked for; "
        "nothing is invented.",
        levels={
            0: "It does not speak of this, or most of what it says has no ground.",
            0.5: "Right on the whole, with one statement that nothing bears out.",
            1: "Every statement is borne out; what is not known is not claimed.",
        },
        files=[path],
    )


def reader(path: str, who: str) -> Criterion:
    return Criterion(
        id="for-the-reader",
        criterion=f"It is written for its reader, {who}, who has not seen the data: it says first "
        "what matters, and explains what the figures are about.",
        levels={
            0: "A reader learns nothing, or gets bare figures.",
            0.5: "It can be understood, but the reader has to piece together what it is about.",
            1: "The reader knows at once what it is about and what matters.",
        },
        files=[path],
    )


def plain_words(path: str) -> Criterion:
    return Criterion(
        id="plain",
        criterion="Plain, connected sentences in a tone that suits an everyday note: no filler, no "
        "repetition, no talk about how it was worked out beyond what a reader needs.",
        levels={
            0: "No connected text, or mostly filler.",
            0.5: "Readable, with filler or with sentences that say the same again.",
            1: "Plain, connected, nothing too much.",
        },
        files=[path],
    )


def reasons(path: str) -> Criterion:
    return Criterion(
        id="reasons",
        criterion="It recommends one next step, with a reason that follows from the figures, and "
        "names a limit: something that the figures cannot tell.",
        levels={
            0: "No recommendation, or one that the figures contradict.",
            0.25: "A recommendation without a reason.",
            0.5: "A recommendation with a reason; no limit is named.",
            0.75: "Step, reason and limit are there, one of them vague.",
            1: "A definite step, a reason from the figures, an honest limit.",
        },
        files=[path],
        weight=2,
    )


class Prose(Skill):
    """Asks for a piece of prose with facts in it; the reference has them and words around."""

    hybrid = True
    path: str
    to: str
    piece: Piece

    def ask(self, what: str) -> tuple[str, ...]:
        raise NotImplementedError

    def frame(self, about: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the reference says before and after the facts; no figures."""
        raise NotImplementedError

    def apply(self, inputs: Sequence[Value]) -> Step:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        what, path = asked(facts), self.path
        criteria = [grounded(path, f"the {facts.about}"), reader(path, self.to)]
        criteria.append(reasons(path) if self.piece == "advice" else plain_words(path))
        check: dict[str, Any] = {
            "text": {
                "path": path,
                "facts": [fact_check(fact) for fact in facts.facts],
                "words": {"min": FEWEST, "max": MOST},
            },
            "weight": 2,
        }
        before, after = self.frame(facts.about)
        code = [f"«out» = {list(before)!r}"]
        for fact in facts.facts:
            unit = f" {fact.unit}" if fact.unit else ""
            shown = f"plain(«0»[{fact.name!r}], {fact.decimals})"
            code.append(f"«out».append({f'The {fact.labels[0]} is '!r} + {shown} + {unit + '.'!r})")
        code.append(f"«out» += {list(after)!r}")
        code.append(f"write_lines({path!r}, «out»)")
        note = f"{FEWEST} to {MOST} words of connected text."
        output = Output(path=path, format="markdown", note=note)
        deliver = Deliverable(path, what, (output,), (check,), tuple(criteria))
        say = Say(do=self.ask(what))
        return Step(None, say, "\n".join(code), ("write_lines", "plain"), deliver=deliver)


def _facts(inputs: Sequence[Value]) -> Facts:
    (facts,) = inputs
    assert isinstance(facts, Facts)
    return facts


@skill("prose-summary", "write-prose", takes=(Facts,), gives=None, sink=True)
@dataclass(frozen=True)
class ProseSummary(Prose):
    """A short summary in sentences for somebody who was not there."""

    path: str
    to: str
    piece: Piece = "summary"

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        stem = f"{_facts(inputs).about} summary"
        team = world.random.choice(world.teams)
        return cls(world.path(stem, ".md", "out", "notes", "texts"), f"the team {team}")

    def ask(self, what: str) -> tuple[str, ...]:
        return (
            f"write a short summary in full sentences for {self.to} in `{self.path}`, with {what}",
            f"put {what} into a few connected sentences for {self.to}, in `{self.path}`",
        )

    def frame(self, about: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (
            (f"This is a short summary about the {about} for {self.to}.", ""),
            (
                "",
                "All of this was worked out from the files in the workspace, by the rules that we "
                "have agreed on, and nothing was estimated. What the files do not hold is left out "
                "here, and whoever wants to know more finds it there.",
            ),
        )


@skill("prose-message", "draft-messages", takes=(Facts,), gives=None, sink=True)
@dataclass(frozen=True)
class ProseMessage(Prose):
    """The text of a mail to a colleague."""

    path: str
    to: str
    piece: Piece = "message"

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        stem = f"{_facts(inputs).about} mail"
        who = world.people[world.random.randrange(5)]
        return cls(world.path(stem, ".md", "out", "mail-drafts", "texts"), who)

    def ask(self, what: str) -> tuple[str, ...]:
        return (
            f"draft a friendly mail to {self.to} in `{self.path}` (only its text) that says {what}",
            f"write the text of a mail to {self.to} into `{self.path}`; it must tell {what}",
        )

    def frame(self, about: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (
            (f"Dear {self.to},", "", f"here is what you wanted to know about our {about}.", ""),
            (
                "",
                "This comes straight from our files and follows the rules that we have agreed on. "
                "Please tell me if something looks odd to you, then I will look at it again.",
                "",
                "Kind regards",
            ),
        )


@skill("prose-advice", "write-prose", takes=(Facts,), gives=None, sink=True)
@dataclass(frozen=True)
class ProseAdvice(Prose):
    """A recommendation with its reasons."""

    path: str
    to: str
    piece: Piece = "advice"

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        stem = f"{_facts(inputs).about} advice"
        team = world.random.choice(world.teams)
        return cls(world.path(stem, ".md", "out", "notes", "texts"), f"the team {team}")

    def ask(self, what: str) -> tuple[str, ...]:
        return (
            f"write a short recommendation for {self.to} in `{self.path}`: state {what}, say what "
            "we should look at next and why, and what these figures cannot tell",
            f"tell {self.to} in `{self.path}` what you would do next and why, in a few sentences "
            f"that rest on {what}, and say plainly what these figures leave open",
        )

    def frame(self, about: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (
            (f"A recommendation about the {about}, for {self.to}.", ""),
            (
                "",
                f"I would look at the {about} with the greatest weight first, because what is put "
                "right there changes the whole picture most. What these figures cannot tell is "
                "why they are as they are; for that somebody has to ask the people concerned.",
            ),
        )
