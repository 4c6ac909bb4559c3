"""Tasks of several sessions: a later day in the same workspace.

Every one is a plan and what was otherwise before: the truth of the last session is the plan's own.

arrival
    The main table arrives anew between the sessions; what was delivered must be brought up to date.
standing
    The rules are told first, to be kept; the work is asked for later, without them.
correction
    A value in a file turns out to be wrong; the user says the right one, the file stays as it is.

Conversations begin anew, so the user says at first what will not be repeated.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from clawgym_data.compose.plan import Node, Plan, same_delivery
from clawgym_data.compose.skill import Step
from clawgym_data.compose.values import Cell, Table, plain
from clawgym_data.compose.world import World

Kind = Literal["arrival", "standing", "correction"]


@dataclass(frozen=True)
class Earlier:
    """What was otherwise in the first session: `steps` are the plan's on the earlier state.

    `news` is what the user says of the change. `patch` is reference code, put behind the block of
    the main source in the last session.
    """

    kind: Kind
    steps: Sequence[Step]
    news: str = ""
    patch: str = ""


def draw_earlier(plan: Plan, steps: Sequence[Step], world: World) -> Earlier | None:
    """An earlier state that fits the plan; None when no kind does."""
    kinds: list[Kind] = ["arrival", "correction"]
    world.random.shuffle(kinds)
    kinds.insert(0 if world.random.random() < 0.3 else 2, "standing")
    for kind in kinds:
        if kind == "standing":
            if any(map(ruled, plan.nodes, steps)):
                return Earlier(kind, steps)
        elif (found := _changed(kind, plan, steps, world)) is not None:
            return found
    return None


def ruled(node: Node, step: Step) -> bool:
    """Whether the request has a rule to say for this block."""
    said = not node.source and not node.folded and step.deliver is None
    return bool(step.rules) or said


def _changed(kind: Kind, plan: Plan, steps: Sequence[Step], world: World) -> Earlier | None:
    """Only what can be done twice: deliverables that change no input."""
    table = plan.nodes[0].given
    delivered = [step.deliver for step in steps if step.deliver]
    alone = any(not node.source and not node.inputs for node in plan.nodes)
    again = not any(d.editable or d.afterwards or d.message for d in delivered)
    if table is None or alone or not again:
        return None
    made = _fewer(table, world.random) if kind == "arrival" else _wrong(table, world.random)
    if made is None:
        return None
    before, news, patch = made
    first: Node = replace(plan.nodes[0], given=before, applied=None)
    try:
        earlier = Plan((first, *plan.nodes[1:])).apply()
    except (LookupError, ValueError, ArithmeticError, AssertionError):
        return None
    then, now = earlier[0], steps[0]
    if not {*then.files} <= {*now.files} or (then.say, then.rules) != (now.say, now.rules):
        return None
    if kind == "correction" and {*then.files} != {*now.files}:
        return None
    changed = [
        not same_delivery(a.deliver, b.deliver)
        for a, b in zip(earlier, steps, strict=True)
        if b.deliver
    ]
    same_words = all(a.code == b.code for a, b in zip(earlier, steps, strict=True))
    if not all(changed) or not same_words:
        return None
    if kind == "arrival":
        where = sorted(path for path in now.files if then.files.get(path) != now.files[path])
        named = ", ".join(f"`{path}`" for path in where[:3]) + (", …" if len(where) > 3 else "")
        news = f"There is a new state of the {table.noun.plural}: {named}. It replaces the old one."
    return Earlier(kind, earlier, news, patch)


def _fewer(table: Table, chance: random.Random) -> tuple[Table, str, str] | None:
    """Without some of the last rows."""
    lost = chance.randint(2, max(2, len(table) // 4))
    if len(table) - lost < 5:
        return None
    return replace(table, rows=table.rows[:-lost]), "", ""


def _wrong(table: Table, chance: random.Random) -> tuple[Table, str, str] | None:
    """One number of a row with a key is another in the file."""
    columns = [c for c in table.columns if c.numeric and c.name != table.key and c.summable]
    if table.key is None or not columns:
        return None
    column, at = chance.choice(columns), chance.randrange(len(table))
    row = table.rows[at]
    right, key = row[column.name], row[table.key]
    if not isinstance(right, int | Decimal) or right <= 0 or not isinstance(key, str):
        return None
    wrong: Cell = right + chance.choice((1, 2, 3, 10))
    rows = [*table.rows]
    rows[at] = {**row, column.name: wrong}
    shown = plain(right, column.decimals) + (f" {column.unit}" if column.unit else "")
    one = f"the {table.noun.singular} {key}"
    news = chance.choice(
        (
            f"A correction of what I gave you: the {column.label} of {one} is {shown}, the file is "
            "wrong there. Leave the file as it is, but count with the right value.",
            f"I was wrong about {one}: its {column.label} is {shown}, not what the file says. The "
            "file itself stays untouched, everything else should be right.",
        )
    )
    value = f"Decimal({str(right)!r})" if isinstance(right, Decimal) else str(right)
    patch = (
        f"for row in «out»:\n    if row[{table.key!r}] == {key!r}:\n"
        f"        row[{column.name!r}] = {value}"
    )
    return replace(table, rows=tuple(rows)), news, patch
