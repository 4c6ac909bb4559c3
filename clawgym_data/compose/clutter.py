"""Clutter: what lies about in a workspace and has nothing to do with the request.

Notes, lists on other matters, earlier states with a clear name. All of it stands in folders that
the task does not use, so that no pattern of a request meets it, and none of it holds what a check
asks for.
"""

import random
from collections.abc import Collection
from datetime import timedelta

from clawgym_data.compose.world import World, slug

FOLDERS = ("desk", "private", "misc", "parked", "old", "elsewhere", "waiting", "scratch")
SHARE = 0.7
"""Of the tasks, those with clutter."""
ERRANDS = (
    "water the plants by the window",
    "return the borrowed ladder",
    "ask about the parking space",
    "new batteries for the wall clock",
    "book the small meeting room",
    "call the locksmith again",
    "bring cups for the kitchen",
    "find out who has the spare key",
    "order printer paper",
    "thank the neighbours for the cake",
)
THOUGHTS = (
    "The door closer squeaks again; somebody should oil it.",
    "The coffee from the new shop is better than the old one.",
    "Maybe move the shelf to the other wall, there is more light.",
    "The bus was late all week, leave earlier.",
    "Summer party: by the river or in the courtyard? Nothing decided.",
    "The chair by the entrance wobbles.",
    "Nice idea from the talk: fewer meetings, longer walks.",
    "The radio in the workshop is on loan, do not sell it.",
)
TABLES = (
    ("coffee-kitty", ("who", "cups", "paid")),
    ("plant-watering", ("spot", "litres", "done")),
    ("key-loans", ("holder", "keys", "returned")),
    ("lost-and-found", ("where", "pieces", "collected")),
    ("bike-cellar", ("slot", "bikes", "locked")),
    ("window-cleaning", ("side", "windows", "booked")),
)
SPOTS = ("hall", "stairs", "cellar", "attic", "porch", "corridor", "yard", "gate")


def clutter(world: World, taken: Collection[str], chance: random.Random) -> dict[str, bytes]:
    """Three to ten files by workspace path, or none. `taken` are all paths that the task names."""
    if chance.random() >= SHARE:
        return {}
    roots = {path.split("/")[0] for path in taken}
    free = [folder for folder in FOLDERS if folder not in roots]
    folders = chance.sample(free, min(len(free), chance.choice((1, 2, 2, 3))))
    if not folders:
        return {}
    makers = (_note, _note, _errands, _table, _table, _versions, _thread)
    files: dict[str, bytes] = {}
    for _ in range(chance.randint(3, 8)):
        made = chance.choice(makers)(world, chance)
        folder = chance.choice(folders)
        if not any(path.endswith(f"/{name}") for path in files for name in made):
            files |= {f"{folder}/{name}": text.encode() for name, text in made.items()}
    return files


def _note(world: World, chance: random.Random) -> dict[str, str]:
    day = world.today - timedelta(days=chance.randint(3, 300))
    lines = chance.sample(THOUGHTS, chance.randint(1, 3))
    return {f"thoughts-{day.isoformat()}.txt": "\n".join(lines) + "\n"}


def _errands(world: World, chance: random.Random) -> dict[str, str]:
    lines = chance.sample(ERRANDS, chance.randint(3, 6))
    text = "\n".join(f"- [{chance.choice(' x')}] {line}" for line in lines)
    return {f"errands-{chance.choice(('autumn', 'spring', 'winter'))}.md": f"# Errands\n\n{text}\n"}


def _table(world: World, chance: random.Random) -> dict[str, str]:
    name, heads = chance.choice(TABLES)
    spots = chance.sample(SPOTS, chance.randint(4, 7))
    rows = [f"{spot},{chance.randint(1, 30)},{chance.choice(('yes', 'no'))}" for spot in spots]
    return {f"{name}.csv": "\n".join([",".join(heads), *rows]) + "\n"}


def _versions(world: World, chance: random.Random) -> dict[str, str]:
    """A text about the house in two earlier states and one that counts."""
    stem = chance.choice(("door-sign", "welcome-text", "house-notice", "phone-greeting"))
    lines = chance.sample(THOUGHTS, 3)
    return {
        f"{stem}-{state}.txt": "\n".join(lines[: number + 1]) + "\n"
        for number, state in enumerate(("draft-1", "draft-2", "final"))
    }


def _thread(world: World, chance: random.Random) -> dict[str, str]:
    sender = chance.choice(world.people)
    text = f"From: {sender}\nTo: {world.name}\nSubject: lunch\n\n"
    text += f"{chance.choice(THOUGHTS)} Lunch at noon?\n\n{sender.split()[0]}\n"
    return {f"lunch-{slug(sender)}.txt": text}
