"""Plans: typed graphs of two to eight blocks, from tables of the persona's world to deliverables.

A plan is drawn forward: sources write tables down, transforms turn values into values, and every
value that nothing else uses is delivered by a sink. Some blocks need no value (they act on files of
their own). What a block means here is settled by `Skill.choose`, so that whatever is drawn fits.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from clawgym_data.compose.domain import Dataset
from clawgym_data.compose.skill import SKILLS, Deliverable, Skill, Step
from clawgym_data.compose.values import Facts, Table, Value
from clawgym_data.compose.world import World

SMALLEST, LARGEST = 2, 8


@dataclass(frozen=True)
class Node:
    """A bound block. `inputs` are earlier nodes; `given` is the table that a source writes down.

    A `folded` transform is said inside the noun phrases of what follows ("the orders that are
    still open"); otherwise it is said for itself ("Cancelled orders do not count.").
    """

    skill: Skill
    inputs: tuple[int, ...] = ()
    given: Table | None = None
    folded: bool = True
    applied: Step | None = field(default=None, compare=False, repr=False)
    """Its step, for a block without inputs: files are written once, not at every look."""

    def apply(self, steps: Sequence[Step]) -> Step:
        """`steps` are those of earlier nodes."""
        return self.applied or self.skill.apply(inputs_of(self, steps))

    @property
    def source(self) -> bool:
        return self.given is not None


@dataclass(frozen=True)
class Plan:
    nodes: tuple[Node, ...]

    @property
    def skeleton(self) -> str:
        """The graph without names and values: blocks, their details and edges."""
        parts = []
        for node in self.nodes:
            detail = node.skill.detail()
            edges = ",".join(map(str, node.inputs))
            parts.append(node.skill.name + (f"[{detail}]" if detail else "") + f"({edges})")
        return " ".join(parts)

    @property
    def skeleton_id(self) -> str:
        return hashlib.sha256(self.skeleton.encode()).hexdigest()[:12]

    @property
    def operations(self) -> list[str]:
        return list(dict.fromkeys(node.skill.operation for node in self.nodes))

    def apply(self) -> list[Step]:
        """Every node's step, in order. Pure."""
        steps: list[Step] = []
        for node in self.nodes:
            step = node.apply(steps)
            if not node.folded and isinstance(step.value, Table):
                step = replace(step, value=replace(step.value, phrase=""))
            steps.append(step)
        return steps


def inputs_of(node: Node, steps: Sequence[Step]) -> list[Value]:
    if node.given is not None:
        return [node.given]
    values = [steps[index].value for index in node.inputs]
    return [value for value in values if value is not None]


def idle_nodes(plan: Plan) -> list[int]:
    """Transforms without which everything delivered would be the same.

    Each is replaced by its first input in turn. A plan with such a block asks for work that
    nobody needs (a join whose columns nothing uses, a filter that drops nothing).
    """
    wanted = [step.deliver for step in plan.apply()]
    idle = []
    for number, node in enumerate(plan.nodes):
        if node.skill.sink or node.source or node.skill.gives not in node.skill.takes[:1]:
            continue
        kept: list[Step] = []
        try:
            for other, at in enumerate(plan.nodes):
                if other == number:
                    kept.append(replace(kept[at.inputs[0]], deliver=None, code="", files={}))
                else:
                    kept.append(at.apply(kept))
        except (LookupError, ValueError, ArithmeticError):
            continue  # something needs what it adds, or does not work without it
        without = [step.deliver for step in kept]
        if all(same_delivery(a, b) for a, b in zip(wanted, without, strict=True)):
            idle.append(number)
    return idle


def without_idle(plan: Plan, steps: Sequence[Step]) -> Plan:
    """The plan without blocks that change nothing, and without sources that nothing reads then.

    What is delivered stays as it is. Raises `NoPlan` when hardly anything is left, or when the
    same would be delivered twice in one sort of file.
    """
    plan = Plan(folded_where_it_must(plan.nodes, steps))
    while idle := idle_nodes(plan):
        nodes = [
            replace(node, inputs=tuple(_rewired(plan, idle[0], at) for at in node.inputs))
            for node in plan.nodes
        ]
        gone = {idle[0]}
        for number in range(len(nodes) - 1, -1, -1):
            read = any(number in n.inputs for at, n in enumerate(nodes) if at not in gone)
            if not read and not nodes[number].skill.sink:
                gone.add(number)
        kept = [number for number in range(len(nodes)) if number not in gone]
        place = {number: new for new, number in enumerate(kept)}
        left = [replace(nodes[at], inputs=tuple(place[i] for i in nodes[at].inputs)) for at in kept]
        ends = [(n.inputs, n.skill.operation) for n in left if n.skill.sink and n.inputs]
        if len(left) < SMALLEST or len(set(ends)) < len(ends):
            raise NoPlan("a block changes nothing")
        shorter = Plan(tuple(left))
        plan = Plan(folded_where_it_must(shorter.nodes, shorter.apply()))
    return plan


def _rewired(plan: Plan, idle: int, at: int) -> int:
    return plan.nodes[idle].inputs[0] if at == idle else at


def same_delivery(a: Deliverable | None, b: Deliverable | None) -> bool:
    """Whether two deliverables are checked by the same truth."""
    if a is None or b is None:
        return a is b
    return (a.checks, a.hidden, a.message) == (b.checks, b.hidden, b.message)


def folded_where_it_must(nodes: Sequence[Node], steps: Sequence[Step]) -> tuple[Node, ...]:
    """What not every deliverable rests on must be said inside the phrases of those that do.

    A rule said for itself ("The cancelled orders do not count.") is taken to hold for everything.
    Groups are always named by what they are: "the payer lines" says nothing.
    """
    above: list[set[int]] = []
    for number, node in enumerate(nodes):
        above.append({number}.union(*(above[index] for index in node.inputs)))
    ends = [above[n] for n, node in enumerate(nodes) if node.skill.sink and node.inputs]
    found = []
    for number, (node, step) in enumerate(zip(nodes, steps, strict=True)):
        shared = all(number in end for end in ends)
        grouped = isinstance(step.value, Table) and step.value.grouped
        found.append(node if shared and not grouped else replace(node, folded=True))
    return tuple(found)


class NoPlan(Exception):
    """The draw led nowhere: no block fits what is open. The caller draws again."""


def draw_plan(
    dataset: Dataset,
    world: World,
    size: int,
    weights: Mapping[str, float] | None = None,
    hybrid: bool = False,
) -> Plan:
    """A plan of `size` blocks over `dataset`. `weights` multiply the weight of operations.

    A `hybrid` plan also asks for a piece of prose on facts of the plan.

    Raises `NoPlan` when no block fits.
    """
    return _Draw(dataset, world, size, weights or {}).run(hybrid)


class _Draw:
    def __init__(
        self, dataset: Dataset, world: World, size: int, weights: Mapping[str, float]
    ) -> None:
        self.dataset, self.world, self.size, self.weights = dataset, world, size, weights
        self.nodes: list[Node] = []
        self.steps: list[Step] = []
        self.used: set[int] = set()

    def run(self, hybrid: bool) -> Plan:
        self._source(self.dataset.table)
        branches = self.world.random.choices((1, 2, 3), (5, 4, 1))[0] if self.size > 3 else 1
        while len(self.nodes) < self.size - branches:
            self._grow(len(self.nodes) + branches)
        self._deliver()
        if hybrid:
            self._prose()
        return without_idle(Plan(tuple(self.nodes)), self.steps)

    def _grow(self, planned: int) -> None:
        """One more transform, or a second source where something can be joined to it."""
        related = [t for t in self.dataset.related if all(t is not n.given for n in self.nodes)]
        room = self.size - planned
        if related and room >= 2 and self.world.random.random() < 0.45:
            self._source(self.world.random.choice(related))
            left = self._latest_with(self.nodes[-1].given)
            if left is not None and self._draw((left, len(self.nodes) - 1), binary=True):
                return
            self.nodes.pop()
            self.steps.pop()
        order = sorted(
            (i for i, step in enumerate(self.steps) if step.value is not None),
            key=lambda i: (i in self.used, -i if self.world.random.random() < 0.8 else i),
        )
        for index in order:
            if self._draw((index,)):
                return
        raise NoPlan

    def _latest_with(self, table: Table | None) -> int | None:
        """The last node whose table has the key column of `table`."""
        for index in reversed(range(len(self.nodes) - 1)):
            value = self.steps[index].value
            if table and table.key and isinstance(value, Table):
                names = [column.name for column in value.columns]
                others = {column.name for column in table.columns} - {table.key}
                if table.key in names and value.key != table.key and not others & set(names):
                    return index
        return None

    def _deliver(self) -> None:
        """A sink for every value that nothing uses; then blocks that stand alone."""
        for index in range(len(self.steps)):
            value = self.steps[index].value
            open_ = value is not None and index not in self.used and not self.nodes[index].given
            if (open_ or (len(self.nodes) == 1)) and not self._draw((index,), sink=True):
                raise NoPlan
        tries = 0
        while len(self.nodes) < self.size and tries < 6:
            tries += 1
            last = max(i for i, step in enumerate(self.steps) if step.value is not None)
            alone = self.world.random.random() < 0.35
            self._draw(() if alone else (last,), sink=True)
        if not any(node.skill.sink for node in self.nodes):
            raise NoPlan

    def _prose(self) -> None:
        """One piece of prose, on facts that are there or are drawn from the last table."""
        there = [i for i, step in enumerate(self.steps) if isinstance(step.value, Facts)]
        tables = [i for i, step in enumerate(self.steps) if isinstance(step.value, Table)]
        if not there:
            for index in reversed(tables):
                if self._draw((index,), gives=Facts):
                    there = [len(self.nodes) - 1]
                    break
        if not there or not self._draw((self.world.random.choice(there),), sink=True, hybrid=True):
            raise NoPlan("no facts for prose")

    def _source(self, table: Table) -> None:
        self._draw((), given=table)
        if not self.nodes or self.nodes[-1].given is not table:
            raise NoPlan

    def _draw(
        self,
        inputs: tuple[int, ...],
        given: Table | None = None,
        sink: bool = False,
        binary: bool = False,
        hybrid: bool = False,
        gives: type | None = None,
    ) -> bool:
        """Draws one block that takes these inputs and adds it; False when none fits."""
        values: list[Value] = [given] if given is not None else []
        values += [value for i in inputs if (value := self.steps[i].value) is not None]
        fitting = [
            cls
            for cls in SKILLS.values()
            if cls.sink == sink
            and cls.hybrid == hybrid
            and (gives is None or cls.gives is gives)
            and cls.source == (given is not None)
            and len(cls.takes) == len(values)
            and all(isinstance(v, t) for v, t in zip(values, cls.takes, strict=True))
        ]
        present = [node.skill.name for node in self.nodes]
        while fitting:
            weights = [
                cls.weight
                * self.weights.get(cls.operation, 1.0)
                / (1 + 3 * present.count(cls.name))
                for cls in fitting
            ]
            cls = self.world.random.choices(fitting, weights)[0]
            fitting.remove(cls)
            if any(type(n.skill) is cls and n.inputs == inputs != () for n in self.nodes):
                continue  # the same block twice on the same values
            if (
                sink
                and inputs
                and not hybrid
                and any(
                    n.inputs == inputs and n.skill.sink and n.skill.operation == cls.operation
                    for n in self.nodes
                )
            ):
                continue  # the same values in two files of one sort
            chosen = cls.choose(values, self.world)
            if chosen is None:
                continue
            folded = given is None and self.world.random.random() < 0.6
            step = chosen.apply(values)
            folded = folded or sink or cls.gives is Facts
            node = Node(chosen, inputs, given, folded, None if inputs else step)
            if not node.folded and isinstance(step.value, Table):
                step = replace(step, value=replace(step.value, phrase=""))
            self.nodes.append(node)
            self.steps.append(step)
            self.used |= set(inputs)
            return True
        return False
