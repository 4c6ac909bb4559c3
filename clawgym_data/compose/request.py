"""The request: a plan said in the persona's voice.

Whatever the wording, a request says where every input is, every rule that changes the result, and
what each deliverable holds. A *layout* is the order and shape of what is said; a *register* is how
the person writes. Both are drawn apart, so that a few of each give many kinds of requests; below
them every block has wordings of its own. The spans that ask for deliverables are kept: checks cite
them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from clawgym_data.compose.plan import Plan, inputs_of
from clawgym_data.compose.sessions import Earlier
from clawgym_data.compose.skill import Step
from clawgym_data.compose.values import Facts
from clawgym_data.compose.world import World


@dataclass
class Request:
    """`cites` maps the number of a node to the words that ask for it."""

    instruction: str
    cites: dict[int, str]
    title: str = ""
    documents: dict[str, bytes] = field(default_factory=dict)
    """Files of the workspace that carry what the instruction refers to."""
    later: str = ""
    """What is said in the second session, when there is one."""
    kept: tuple[str, ...] = ()
    """Rules that are said in the first session only, to be kept."""


@dataclass(frozen=True)
class Register:
    """Openings and closings (`{name}`, `{organisation}`, `{team}`), ways to ask for one or several
    things (`{asks}` is filled with bare imperatives), words before lists."""

    openings: tuple[str, ...]
    closings: tuple[str, ...]
    asking: tuple[str, ...]
    wanted: tuple[str, ...]
    """Before a list of deliverables; `{occasion}` completes "I need this …"."""
    minding: tuple[str, ...]
    """Before a list of rules."""


REGISTERS: Mapping[str, Register] = {
    "formal": Register(
        ("Good morning,", "Dear assistant,", "Good afternoon, {name} speaking.", "Good day,"),
        ("Thank you in advance.", "Many thanks, {name}", "Kind regards, {name}", ""),
        ("Could you please {asks}?", "I should like you to {asks}.", "Kindly {asks}."),
        ("The following is needed {occasion}:", "I require the following {occasion}:"),
        ("Please observe the following:", "The following applies:"),
    ),
    "friendly": Register(
        ("Hi,", "Hello, {name} here.", "Hi there,", "Hello from the {team} team,", ""),
        ("Thanks a lot!", "Thank you, {name}", "Cheers, {name}", "", ""),
        ("Please {asks}.", "Could you {asks}?", "Would you {asks}, please?", "Can you {asks}?"),
        ("What I need {occasion}:", "Here is what I need {occasion}:"),
        ("Mind this:", "A few things to mind:", "Please note:"),
    ),
    "terse": Register(
        ("", "", "{name}."),
        ("", "", "{name}"),
        ("Please {asks}.", "{Asks}.", "To do: {asks}."),
        ("Needed {occasion}:", "To do, {occasion}:"),
        ("Rules:", "Note:"),
    ),
    "hurried": Register(
        ("Quick one before I have to go.", "Hi, in a rush today.", "Only two minutes, so briefly:"),
        ("Thanks!", "Have to run, thanks.", "", "{name}, from the train"),
        ("Please {asks}.", "Can you {asks}? That would save my day.", "Just {asks}, please."),
        ("I need {occasion}, all of it:", "This is what has to be there {occasion}:"),
        ("Careful with these:", "And mind:"),
    ),
    "methodical": Register(
        ("Hello. I will go through this in order.", "A task in a few parts.", "{name}, {team}."),
        ("That is all.", "Please check it once more before you finish.", "Regards, {name}"),
        ("Please {asks}.", "The task is to {asks}."),
        ("Results that I expect {occasion}:", "To be delivered {occasion}:"),
        ("Conventions:", "Rules, all of which apply:", "Definitions:"),
    ),
    "chatty": Register(
        (
            "Hello! {name} again, the one with too many lists.",
            "Hi, hope you are well. We had a long day at {organisation}.",
            "Hello dear helper, it is me again, {name}.",
        ),
        (
            "I owe you a coffee, {name}",
            "You are a treasure. {name}",
            "And then I leave you in peace, promised.",
        ),
        ("Would you be so kind and {asks}?", "Could you {asks}?", "It would be great: {asks}."),
        ("So, this is what I would love to have {occasion}:", "What would help me {occasion}:"),
        ("Oh, and before I forget:", "Some things one has to know:"),
    ),
    "second-language-plain": Register(
        ("Good day, I am {name}.", "Hello, here is {name} from {organisation}.", "Hello."),
        ("Thank you very much, {name}", "With thanks, {name}", "Thank you."),
        ("Please {asks}.", "I ask you to {asks}."),
        ("I need these things {occasion}:", "For me it is important {occasion}:"),
        ("Attention, please:", "It is important:"),
    ),
}


@dataclass
class _Parts:
    """What has to be said, ready to be arranged. `rules` may move to a document."""

    opening: str
    closing: str
    occasion: str
    register: Register
    sources: list[str]
    rules: list[str]
    asks: list[str]
    world: World


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else text + "."


def write_request(
    plan: Plan,
    steps: Sequence[Step],
    world: World,
    occasion: str = "",
    earlier: Earlier | None = None,
) -> Request:
    """With `earlier`, the request of two sessions."""
    standing = earlier is not None and earlier.kind == "standing"
    choose = world.random.choice
    cites: dict[int, str] = {}
    said: dict[str, int] = {}
    sources: list[str] = []
    rules: list[str] = []
    asks: list[str] = []
    for index, (node, step) in enumerate(zip(plan.nodes, steps, strict=True)):
        if node.source:
            sources.append(choose(step.say.rule))
        elif step.deliver is not None:
            ask = choose(step.say.do)
            asked = step.deliver.asked
            if asked in said and asked in ask:
                facts = isinstance(inputs_of(node, steps)[0], Facts)
                again = (
                    ("the same figures", "these figures")
                    if facts
                    else ("the same", "the same list")
                )
                ask = ask.replace(asked, choose(again))
            said.setdefault(asked, index)
            cites[index] = ask
            asks.append(ask)
        elif not node.folded:
            rules.append(choose((*step.say.rule, *map(sentence, step.say.do))))
        for rule in step.rules:
            # What is said of a source belongs beside it.
            beside = node.source and not standing and world.random.random() < 0.6
            (sources if beside else rules).append(rule)
    register = REGISTERS.get(world.register, REGISTERS["friendly"])
    fill = {"name": world.name, "organisation": world.organisation, "team": world.team}
    parts = _Parts(
        choose(register.openings).format(**fill),
        choose(register.closings).format(**fill),
        occasion or "now",
        register,
        sources,
        rules,
        asks,
        world,
    )
    documents: dict[str, bytes] = {}
    first = later = ""
    kept: tuple[str, ...] = ()
    if standing:
        kept, parts.rules = tuple(rules), []
        first = _blocks(parts.opening, _told(parts, kept), parts.closing) + "\n"
        parts.opening = choose(register.openings).format(**fill)
        reminder = choose(("Our standing rules apply.", "You know our rules.", "As agreed before."))
        parts.sources.append(reminder)
    elif earlier is not None:
        ask = _asked(parts, [f"bring this up to date: {_joined(asks)}"])
        rest = ("The rest is as I told you.", "All else stays as agreed.", "Same rules as before.")
        opening = choose(register.openings).format(**fill)
        later = _blocks(opening, f"{earlier.news} {ask}", choose(rest)) + "\n"
        parts.closing = _blocks(choose(KEEP), parts.closing)
    elif len(rules) >= 2 and world.random.random() < 0.3:
        documents = _delegate(parts)
    layout = choose(LAYOUTS)
    body = layout(parts)
    text = "\n\n".join(part for part in (parts.opening, body, parts.closing) if part)
    for index, ask in cites.items():
        if ask not in text:
            cites[index] = ask[:1].upper() + ask[1:]
    title = _title(steps, parts.occasion)
    if standing:
        return Request(first, cites, title, documents, text + "\n", kept)
    return Request(text + "\n", cites, title, documents, later)


def _told(parts: _Parts, rules: Sequence[str]) -> str:
    """Standing rules, told before any work."""
    choose = parts.world.random.choice
    head = choose(
        (
            "No work yet, only our rules for the lists that I shall bring you later:",
            "Before I bring you work, this is how we do things here:",
            "Some standing rules first; the work comes later:",
        )
    )
    listed = "\n".join(f"- {rule}" for rule in rules)
    return _blocks(f"{head}\n\n{listed}", choose(KEEP))


KEEP = (
    "Please note what you will need of this: I shall come back to it in another conversation and "
    "not repeat it.",
    "Write down for yourself what I tell you here. Next time I only say what is new.",
    "Keep a note of this for later; I will not say it again.",
)


def _title(steps: Sequence[Step], occasion: str) -> str:
    """A short description: the first thing that is delivered."""
    first = next(step.deliver for step in steps if step.deliver is not None)
    text = first.asked.removeprefix("the ")
    text = text.split(" (")[0].split(", ")[0].replace("`", "")
    text = text if len(text) <= 90 else text[:90].rsplit(" ", 1)[0] + " …"
    if len(text) < 40:
        text = f"{text}, {occasion}"
    return text[:1].upper() + text[1:]


def _delegate(parts: _Parts) -> dict[str, bytes]:
    """Moves the rules into a document of the workspace, to which the request points."""
    world = parts.world
    kind = world.random.choice(("guide", "note", "thread"))
    pointer: tuple[str, ...]
    if kind == "guide":
        path = world.path("how we count", ".md", "docs", "guides")
        lines = ["# How we count", "", *(f"- {rule}" for rule in parts.rules)]
        pointer = (f"Our rules for this are in `{path}`.", f"Follow `{path}`, please.")
    elif kind == "note":
        path = world.path("remarks", ".txt", "notes", "data")
        lines = [f"Remarks, {world.today.isoformat()}", "", *parts.rules]
        pointer = (f"What you have to know about the data is in `{path}`.",)
    else:
        path = world.path("agreed", ".txt", "mail", "notes")
        sender = world.people[0]
        lines = [f"From: {sender}", f"To: {world.name}", "Subject: the lists", ""]
        lines += ["As agreed on the phone:", "", *(f"- {rule}" for rule in parts.rules)]
        lines += ["", sender.split()[0]]
        pointer = (f"How it is to be done is in the mail `{path}`, all of it applies.",)
    parts.rules = [world.random.choice(pointer)]
    return {path: ("\n".join(lines) + "\n").encode()}


def _asked(parts: _Parts, asks: Sequence[str] | None = None) -> str:
    """All asks in one sentence."""
    joined = _joined(asks if asks is not None else parts.asks)
    form = parts.world.random.choice(parts.register.asking)
    if "{Asks}" in form:
        return form.replace("{Asks}", joined[:1].upper() + joined[1:])
    return form.replace("{asks}", joined)


def _joined(asks: Sequence[str]) -> str:
    if len(asks) == 1:
        return asks[0]
    return "; ".join(asks[:-1]) + ("; and " if len(asks) > 2 else ", and ") + asks[-1]


def _heading(parts: _Parts) -> str:
    return parts.world.random.choice(parts.register.wanted).format(occasion=parts.occasion)


def _minding(parts: _Parts, sign: str = "- ") -> str:
    if not parts.rules:
        return ""
    if len(parts.rules) == 1:
        return parts.rules[0]
    head = parts.world.random.choice(parts.register.minding)
    return "\n".join([head, *(f"{sign}{rule}" for rule in parts.rules)])


def _blocks(*blocks: str) -> str:
    return "\n\n".join(block for block in blocks if block)


def _prose(parts: _Parts) -> str:
    """Everything in running text."""
    when = f"I need this {parts.occasion}."
    return _blocks(" ".join([*parts.sources, *parts.rules]), f"{_asked(parts)} {when}")


def _letter(parts: _Parts) -> str:
    """Occasion first, then the data, then one sentence per thing."""
    first, *rest = parts.asks
    more = [sentence(f"{parts.world.random.choice(('also', 'then'))} {ask}") for ask in rest]
    return _blocks(
        f"This is {parts.occasion}." if parts.occasion.startswith("for ")
        else f"It is needed {parts.occasion}.",
        " ".join(parts.sources),
        " ".join([_asked(parts, [first]), *more]),
        _minding(parts),
    )  # fmt: skip


def _listed(parts: _Parts) -> str:
    """Bullets of deliverables, then of rules."""
    listed = "\n".join(f"- {sentence(ask)}" for ask in parts.asks)
    return _blocks(" ".join(parts.sources), f"{_heading(parts)}\n\n{listed}", _minding(parts))


def _goal_first(parts: _Parts) -> str:
    """What is wanted, and only then what there is."""
    return _blocks(
        f"{_asked(parts)} I need it {parts.occasion}.",
        " ".join(parts.sources),
        _minding(parts),
    )


def _numbered(parts: _Parts) -> str:
    """Steps in their order."""
    steps = [*parts.sources, *parts.rules, *map(sentence, parts.asks)]
    listed = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return _blocks(f"I need this {parts.occasion}. Step by step:", listed)


def _ticket(parts: _Parts) -> str:
    """Headed sections, as in a tracker."""
    rules = "\n".join(f"- {rule}" for rule in parts.rules)
    todo = "\n".join(f"- {sentence(ask)}" for ask in parts.asks)
    return _blocks(
        f"**Context**\n{' '.join(parts.sources) or 'See the workspace.'} Needed {parts.occasion}.",
        f"**To do**\n{todo}",
        f"**Notes**\n{rules}" if rules else "",
    )


def _checklist(parts: _Parts) -> str:
    """Boxes to tick."""
    boxes = "\n".join(f"- [ ] {sentence(ask)}" for ask in parts.asks)
    return _blocks(
        f"A list for today ({parts.occasion}):", boxes, " ".join(parts.sources), _minding(parts)
    )


def _messages(parts: _Parts) -> str:
    """Short lines, as one types them into a chat."""
    return "\n".join(
        [*parts.sources, *parts.rules, *map(sentence, parts.asks), f"Needed {parts.occasion}."]
    )


def _asked_for(parts: _Parts) -> str:
    """Somebody else wants it."""
    who = parts.world.people[0].split()[0]
    verb = parts.world.random.choice(("asked me for something", "is waiting for this"))
    return _blocks(
        f"{who} {verb}, {parts.occasion}. {' '.join(parts.sources)}".strip(),
        _asked(parts),
        _minding(parts, "* "),
    )


def _questions(parts: _Parts) -> str:
    """Data and rules under two questions."""
    return _blocks(
        f"**What do I need?** {_asked(parts)} It is needed {parts.occasion}.",
        f"**Where is it?** {' '.join(parts.sources)}" if parts.sources else "",
        _minding(parts),
    )


LAYOUTS: tuple[Callable[[_Parts], str], ...] = (
    _prose,
    _letter,
    _listed,
    _goal_first,
    _numbered,
    _ticket,
    _checklist,
    _messages,
    _asked_for,
    _questions,
)
