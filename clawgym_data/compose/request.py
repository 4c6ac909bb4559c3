"""The request: a plan said in the persona's voice.

Whatever the wording, a request says where every input is, every rule that changes the result, and
what each deliverable holds. It returns, per deliverable, the span that asks for it: checks cite it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clawgym_data.compose.plan import Plan
from clawgym_data.compose.skill import Step
from clawgym_data.compose.world import World


@dataclass
class Request:
    """`cites` maps the number of a node to the words that ask for it."""

    instruction: str
    cites: dict[int, str]
    documents: dict[str, bytes] = field(default_factory=dict)
    """Files of the workspace that carry what the instruction refers to."""


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def write_request(plan: Plan, steps: Sequence[Step], world: World, occasion: str = "") -> Request:
    choose = world.random.choice
    cites: dict[int, str] = {}
    sources: list[str] = []
    rules: list[str] = []
    asks: list[str] = []
    for index, (node, step) in enumerate(zip(plan.nodes, steps, strict=True)):
        if node.source:
            sources.append(choose(step.say.rule))
        elif step.deliver is not None:
            ask = choose(step.say.do)
            cites[index] = ask
            asks.append(ask)
        elif not node.folded:
            said = choose((*step.say.rule, *map(sentence, step.say.do)))
            rules.append(said)
        rules += step.rules
    layout: Callable[..., str] = choose((_prose, _listed))
    opening = choose((f"Hello, {world.name} here.", "Hi,", ""))
    return Request(layout(opening, sources, rules, asks, occasion).strip() + "\n", cites)


def _prose(
    opening: str, sources: list[str], rules: list[str], asks: list[str], occasion: str
) -> str:
    wanted = "Please " + ", and ".join(asks) + (f", {occasion}" if occasion else "") + "."
    return "\n\n".join(filter(None, (opening, " ".join([*sources, *rules]), wanted)))


def _listed(
    opening: str, sources: list[str], rules: list[str], asks: list[str], occasion: str
) -> str:
    listed = "\n".join(f"- {sentence(ask)}" for ask in asks)
    head = f"What I need{' ' + occasion if occasion else ''}:"
    minding = "Mind this:\n" + "\n".join(f"- {rule}" for rule in rules) if rules else ""
    return "\n\n".join(filter(None, (opening, " ".join(sources), head, listed, minding)))
