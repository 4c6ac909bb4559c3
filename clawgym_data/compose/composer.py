"""Composes tasks: persona, world, plan, request and everything that follows from them.

`compose(seed, index)` is pure: the same numbers give the same task, on any machine and in any
order, so that a set may be made by any number of workers.
"""

import functools
import hashlib
import random
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from mimesis import Generic
from mimesis.locales import Locale

from clawgym_bench.sandbox import File
from clawgym_bench.task import Criterion, Limits, Output, Persona, Provenance, Session, Task
from clawgym_data.compose import domains, scenarios, skills
from clawgym_data.compose.clutter import clutter
from clawgym_data.compose.difficulty import difficulty
from clawgym_data.compose.domain import DOMAINS, Domain
from clawgym_data.compose.plan import NoPlan, Plan, draw_plan
from clawgym_data.compose.prelude import program
from clawgym_data.compose.request import Request, write_request
from clawgym_data.compose.scenario import SUBCATEGORIES, TEAMS, Subcategory, shares
from clawgym_data.compose.sessions import Earlier, draw_earlier
from clawgym_data.compose.skill import Step
from clawgym_data.compose.tiny import TINY, draw_parts, say
from clawgym_data.compose.world import REGISTERS, HouseStyle, World, slug

__all__ = ["compose", "domains", "scenarios", "skills"]

CURRENCIES: Mapping[Locale, str] = {
    Locale.EN: "USD",
    Locale.EN_GB: "GBP",
    Locale.DE: "EUR",
    Locale.DE_AT: "EUR",
    Locale.DE_CH: "CHF",
    Locale.FR: "EUR",
    Locale.ES: "EUR",
    Locale.IT: "EUR",
    Locale.NL: "EUR",
    Locale.NL_BE: "EUR",
    Locale.PT: "EUR",
    Locale.FI: "EUR",
    Locale.SV: "SEK",
    Locale.DA: "DKK",
    Locale.NO: "NOK",
}
"""Where the people of a world live, and what they pay with."""
LOCALES = tuple(CURRENCIES)
PLACE = re.compile(r"(?!.*\b[a-z][^\W\d_]{4})[^\W\d_][^\d_]+")
"""Towns whose longer words begin with a capital; the lists of towns have a few other lines."""
NAME = re.compile(r"(?!.* names )[^\W\d_]+([ -][^\W\d_]+)+")
"""Full names of letters, spaces and hyphens; the lists of names have a few other lines."""
VERSION = 2
SEVERAL = 0.24
"""Share of tasks that are tried as ones of two sessions."""
HYBRID = 0.24
"""Share of tasks that also ask for prose, before some lead nowhere."""


def compose(seed: int, index: int, tier: str = "full") -> Task:
    """Task `index` of the set with this seed.

    The tier `tiny` asks for one or two single operations on a few lines.
    Raises `NoPlan` when the draw leads nowhere; the caller counts it and goes on to another index.
    """
    chance = random.Random(f"{VERSION}/{seed}/{index}")
    scenario = draw_scenario(chance)
    world = draw_world(chance, scenario)
    if tier == "tiny":
        return build_tiny(seed, index, scenario, world)
    options = [d for _, d in sorted(DOMAINS.items()) if scenario.name in d.subcategories]
    chosen: Domain = chance.choice(options)
    size = chance.choices(range(2, 9), (1, 2, 3, 4, 4, 3, 2))[0]
    hybrid = chance.random() < HYBRID
    plan = draw_plan(chosen.draw(world), world, size, scenario.weights, hybrid)
    steps = plan.apply()
    earlier = draw_earlier(plan, steps, world) if chance.random() < SEVERAL else None
    request = write_request(plan, steps, world, chance.choice(scenario.occasions), earlier)
    task = build_task(seed, index, scenario, world, plan, steps, request, earlier)
    return with_clutter(task, world)


def with_clutter(task: Task, world: World) -> Task:
    """The task, perhaps with other files about, in folders that it does not use."""
    taken = {*task.inputs, *(output.path for output in task.outputs), *world.paths}
    taken |= {path.split("/", 1)[1] for path in task.files if "/" in path}
    text = " ".join(session.instruction for session in task.sessions)
    named = {word.strip("`.,;:()/") + "/" for word in text.split() if "`" in word or "/" in word}
    added = clutter(world, taken | named, world.random)
    files = {f"workspace/{path}": File(content, 0o644) for path, content in added.items()}
    return task.model_copy(update={"files": dict(sorted({**task.files, **files}.items()))})


def draw_scenario(chance: random.Random) -> Subcategory:
    """One of those that have a domain, by their shares."""
    available = {name for entry in DOMAINS.values() for name in entry.subcategories}
    weights = shares(available)
    return SUBCATEGORIES[chance.choices(list(weights), list(weights.values()))[0]]


@functools.cache
def _names(locale: Locale) -> Generic:
    return Generic(locale)


def draw_world(chance: random.Random, scenario: Subcategory) -> World:
    locale = chance.choice(LOCALES)
    generic = _names(locale)
    generic.reseed(chance.getrandbits(48))
    drawn = dict.fromkeys(generic.person.full_name() for _ in range(60))
    people = [name for name in drawn if name[0].isupper() and NAME.fullmatch(name)][:40]
    towns = dict.fromkeys(generic.address.city() for _ in range(24))
    places = tuple(town for town in towns if PLACE.fullmatch(town))[:10]
    organisation = chance.choice(scenario.organisations).format(
        name=people[-1].split()[-1], place=places[0]
    )
    teams = TEAMS[scenario.category]
    team = chance.choice(teams)
    role = chance.choice(scenario.roles)
    context = chance.choice(scenario.contexts or ("{role} at {organisation}.",)).format(
        role=role, organisation=organisation, place=places[0], team=team, colleague=people[25]
    )
    english = locale in (Locale.EN, Locale.EN_GB)
    style = HouseStyle(
        chance.choice(("iso", "written") if english else ("iso", "dotted", "written")),
        not english and locale is not Locale.DE_CH,
        chance.choice(("-", "-", "_")),
    )
    return World(
        chance,
        Persona(role=role, context=context[0].upper() + context[1:]),
        people[0],
        organisation,
        tuple(people[1:-1]),
        places,
        date(2026, 1, 5) + timedelta(days=chance.randint(0, 330)),
        chance.choice(REGISTERS[:-1] if english else REGISTERS),
        CURRENCIES[locale],
        locale=locale.value,
        team=team,
        teams=teams,
        mail_domain=f"{slug(organisation)}.example",
        style=style,
    )


def build_task(
    seed: int,
    index: int,
    scenario: Subcategory,
    world: World,
    plan: Plan,
    steps: list[Step],
    request: Request,
    earlier: Earlier | None = None,
) -> Task:
    """With `earlier` a task of two sessions: files and reference are those of the first, then what
    changed."""
    files: dict[str, bytes] = {}
    outputs: list[Output] = []
    criteria: list[Criterion] = []
    checks: list[Any] = []
    editable: list[str] = []
    messages: list[str] = []
    requires: dict[str, None] = {}
    for path, content in request.documents.items():
        files[f"workspace/{path}"] = content
    for number, step in enumerate(steps):
        found = earlier.steps[number].files if earlier else step.files
        for path, content in found.items():
            files[f"workspace/{path}"] = content
        if earlier is not None and earlier.kind == "arrival":
            for path, content in step.files.items():
                if found.get(path) != content:
                    files[f"arrivals/2/{path}"] = content
        if (deliver := step.deliver) is None:
            continue
        outputs += deliver.outputs
        criteria += deliver.criteria
        editable += deliver.editable
        requires |= dict.fromkeys(deliver.requires)
        files |= deliver.hidden
        if deliver.message:
            messages.append(deliver.message)
        for name, overlay in deliver.variants.items():
            for path, content in overlay.items():
                files[f"variants/{name}/files/{path}"] = content
        for name, source in deliver.afterwards.items():
            files[f"variants/{name}/run.py"] = source.encode()
        for part, fields in enumerate(deliver.checks):
            checks.append(_check(f"c{number}-{part}", fields, request.cites[number]))
    blocks: list[str] = []
    patched: list[str] = []
    needs: list[str] = []
    for number, (node, step) in enumerate(zip(plan.nodes, steps, strict=True)):
        if step.code:
            code = step.code.replace("«out»", f"v{number}")
            for place, origin in enumerate(node.inputs):
                code = code.replace(f"«{place}»", f"v{origin}")
            blocks.append(code)
            patched.append(code)
            needs += step.needs
            if number == 0 and earlier is not None and earlier.patch:
                patched.append(earlier.patch.replace("«out»", "v0"))
                needs.append("decimal")
    last = "solution" if earlier is None else "solution/2"
    if blocks:
        files[f"{last}/run.py"] = program(patched, needs).encode()
    files[f"{last}/message.md"] = ("\n\n".join(messages) or "Done.").encode()
    if earlier is not None:
        files["solution/1/message.md"] = b"Done, and noted for later."
        if earlier.kind == "standing":
            noted = "\n".join(["# Standing rules", "", *(f"- {rule}" for rule in request.kept)])
            files["solution/1/files/MEMORY.md"] = f"{noted}\n".encode()
        else:
            files["solution/1/run.py"] = program(blocks, needs).encode()
            outputs += [output.model_copy(update={"session": 1}) for output in outputs]
    given = {_bare(content) for path, content in files.items() if path.startswith("workspace/")}
    wanted = [content for path, content in files.items() if path.startswith("expected/")]
    if any(_bare(content) in given for content in wanted):
        raise NoPlan("a deliverable is a copy of an input")
    sessions = [Session(instruction=request.instruction)]
    if earlier is not None:
        new = "arrivals/2" if earlier.kind == "arrival" else None
        sessions.append(Session(instruction=request.later, arrivals=new))
    skeleton = plan.skeleton_id if earlier is None else f"{plan.skeleton_id}-{earlier.kind}"
    mark = hashlib.sha256(f"{seed}/{index}".encode()).hexdigest()
    return Task(
        id=f"syn-{scenario.name}-{mark[:10]}",
        title=request.title or "Composed task",
        category=scenario.bench_category,
        operations=plan.operations,
        tags=[scenario.category, scenario.name],
        difficulty=difficulty(plan, steps, len(sessions)),
        persona=world.persona,
        sessions=sessions,
        outputs=outputs,
        editable=list(dict.fromkeys(editable)),
        requires=list(requires),
        checks=checks,
        rubric=criteria,
        provenance=Provenance(kind="composed", source=f"seed {seed}", skeleton=skeleton),
        canary=f"clawgym-data canary {mark[:32]}",
        files={path: File(content, 0o644) for path, content in sorted(files.items())},
    )


def build_tiny(seed: int, index: int, scenario: Subcategory, world: World) -> Task:
    """One or two single operations; see `tiny`."""
    parts = draw_parts(world)
    mark = hashlib.sha256(f"tiny/{seed}/{index}".encode()).hexdigest()
    files = {f"workspace/{p}": text for part in parts.values() for p, text in part.files.items()}
    files["solution/run.sh"] = "\n".join(part.shell for part in parts.values()) + "\n"
    files["solution/message.md"] = " ".join(p.message for p in parts.values()).strip() or "Done."
    operations = dict.fromkeys(TINY[name].operation for name in parts)
    return Task(
        id=f"syn-tiny-{mark[:10]}",
        title=f"{' and '.join(parts)}".replace("-", " ").capitalize(),
        category=scenario.bench_category,
        operations=list(operations),
        tags=[scenario.category, scenario.name, "tiny"],
        difficulty="easy",
        persona=world.persona,
        sessions=[Session(instruction=say(parts, world))],
        outputs=[output for part in parts.values() for output in part.outputs],
        editable=[path for part in parts.values() for path in part.editable],
        checks=[_check(name, part.check, part.ask) for name, part in parts.items()],
        limits=Limits(seconds=300, messages=24),
        provenance=Provenance(
            kind="composed",
            source=f"seed {seed}",
            skeleton=f"tiny-{'-and-'.join(sorted(parts))}",
        ),
        canary=f"clawgym-data canary {mark[:32]}",
        files={path: File(text.encode(), 0o644) for path, text in sorted(files.items())},
    )


def _bare(content: bytes) -> bytes:
    """Without what tells one form of a table from another: a copy in another form is a copy."""
    return content.translate(bytes.maketrans(b";\t", b",,"), b"\r")


def _check(name: str, fields: Mapping[str, Any], cites: str) -> Any:
    return {"id": name, "cites": cites, **fields}
