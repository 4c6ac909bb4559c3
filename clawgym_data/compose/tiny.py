"""Tiny tasks: one or two single operations on files of a few lines, for very small models.

Each operation brings its own files, words, check and a line or two of shell that does it. Two that
have nothing to do with each other are asked for together; which ones is the task's skeleton.
"""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clawgym_bench.task import Output
from clawgym_data.compose.skill import OPERATIONS
from clawgym_data.compose.world import World

ITEMS = (
    "apples", "bolts", "candles", "dowels", "envelopes", "folders", "gloves", "hinges", "jars",
    "keys", "lamps", "mugs", "nails", "paints", "ropes", "screws", "tapes", "vases",
)  # fmt: skip
LINES = (
    "call the printer", "water the ferns", "order new stamps", "check the fuse box",
    "return the drill", "book the small room", "renew the licence", "sort the old maps",
    "clean the filter", "pay the gardener", "collect the posters", "test the alarm",
    "pack the samples", "measure the shelf", "refill the soap", "update the notice",
)  # fmt: skip
PLACES = ("cellar", "attic", "shed", "hall")
STEMS = ("stock", "list", "store", "notes", "items", "plan", "week", "shelf", "desk", "depot")
WORDS = (("red", "green"), ("north", "south"), ("early", "late"), ("small", "large"))


@dataclass(frozen=True)
class Part:
    """One operation: what is asked ("copy `a` to `b`"), its files, its check and how it is done."""

    ask: str
    check: Mapping[str, Any]
    shell: str
    files: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()
    editable: tuple[str, ...] = ()
    message: str = ""


Maker = Callable[["Draw"], Part]


@dataclass(frozen=True)
class Operation:
    name: str
    operation: str
    make: Maker


TINY: dict[str, Operation] = {}


def tiny(name: str, operation: str) -> Callable[[Maker], Maker]:
    """Registers one under a name and the atomic operation that it is an instance of."""

    def register(make: Maker) -> Maker:
        if name in TINY or operation not in OPERATIONS:
            raise ValueError(f"{name}: taken, or there is no operation {operation!r}")
        TINY[name] = Operation(name, operation, make)
        return make

    return register


def draw_parts(world: World) -> dict[str, Part]:
    """One part or two, by the names of their operations. The order is the order of the request."""
    chance = world.random
    names = chance.sample(sorted(TINY), chance.choices((1, 2), (2, 3))[0])
    draw = Draw(world, chance)
    return {name: TINY[name].make(draw) for name in names}


def say(parts: Mapping[str, Part], world: World) -> str:
    """The request: an opening, perhaps, and a sentence per part."""
    choose = world.random.choice
    opening = choose(("", "", "Hi!", "Hello,", f"{world.name.split()[0]} here.", "Good morning,"))
    first, *rest = (part.ask for part in parts.values())
    form = choose(("Please {}.", "Can you {}?", "Could you {}, please?", "I need you to {}."))
    text = form.format(first)
    for ask in rest:
        text += " " + choose(("Then {}.", "And please {}.", "After that, {}.")).format(ask)
    return f"{opening} {text}".strip() + "\n"


@dataclass(frozen=True)
class Draw:
    """What makers draw from."""

    world: World
    chance: random.Random

    def path(self, suffix: str, *folders: str) -> str:
        return self.world.path(self.chance.choice(STEMS), suffix, *folders)

    def given(self, suffix: str) -> str:
        return self.path(suffix, "", "data", "files")

    def result(self, suffix: str) -> str:
        return self.world.path(self.chance.choice(("result", "answer-sheet", "outcome", "reply")),
                               suffix, "", "out")  # fmt: skip

    def lines(self, low: int = 4, high: int = 8) -> list[str]:
        return self.chance.sample(LINES, self.chance.randint(low, high))

    def rows(self) -> list[tuple[str, int, str]]:
        """Item, number (all different), place (each at least once among the first)."""
        count = self.chance.randint(5, 8)
        items = self.chance.sample(ITEMS, count)
        numbers = self.chance.sample(range(2, 60), count)
        two = self.chance.sample(PLACES, 2)
        places = [*two, two[0], *self.chance.choices(two, k=count - 3)]
        return list(zip(items, numbers, places, strict=True))


def lined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def table(rows: list[tuple[str, int, str]]) -> str:
    return lined(["item,number,place", *(f"{a},{b},{c}" for a, b, c in rows)])


def into(path: str, command: str) -> str:
    """The command with its output in a file."""
    folder = path.rpartition("/")[0]
    return (f"mkdir -p {folder}\n" if folder else "") + f"{command} > {path}"


def text_part(
    ask: str, path: str, text: str, command: str, files: Mapping[str, str], note: str = ""
) -> Part:
    """A text file is delivered, made by a command that prints it."""
    output = Output(path=path, format="text", note=note or None)
    check = {"text": {"path": path, "equals": text, "case": True}}
    return Part(ask, check, into(path, command), files, (output,))


@tiny("write-line", "write-prose")
def write_line(draw: Draw) -> Part:
    path, line = draw.result(".txt"), draw.chance.choice(LINES)
    return text_part(f"write the line “{line}” into `{path}`", path, line, f"echo '{line}'", {})


@tiny("rename-file", "organise-files")
def rename_file(draw: Draw) -> Part:
    old, new = draw.given(".txt"), draw.path(".txt", "kept", "done")
    check = {"files": {"copies": {new: old}, "absent": [old]}}
    shell = f"mkdir -p {new.rpartition('/')[0]}\nmv {old} {new}"
    ask = f"move `{old}` so that it is stored as `{new}`"
    return Part(ask, check, shell, {old: lined(draw.lines())}, (), (old,))


@tiny("replace-word", "edit-text")
def replace_word(draw: Draw) -> Part:
    path, (old, new) = draw.given(".txt"), draw.chance.choice(WORDS)
    things = draw.chance.sample(ITEMS, 5)
    lines = [f"{old} {thing}" if at % 2 else f"plain {thing}" for at, thing in enumerate(things)]
    text = lined(lines)
    check = {"text": {"path": path, "equals": text.replace(old, new), "case": True}}
    ask = f"replace “{old}” by “{new}” everywhere in `{path}`"
    return Part(ask, check, f"sed -i 's/{old}/{new}/g' {path}", {path: text}, (), (path,))


@tiny("append-line", "edit-text")
def append_line(draw: Draw) -> Part:
    path, (line, *lines) = draw.given(".txt"), draw.lines()
    check = {"text": {"path": path, "equals": lined([*lines, line]), "case": True}}
    ask = f"add the line “{line}” at the end of `{path}`"
    return Part(ask, check, f"echo '{line}' >> {path}", {path: lined(lines)}, (), (path,))


@tiny("drop-line", "edit-text")
def drop_line(draw: Draw) -> Part:
    path, lines = draw.given(".txt"), draw.lines()
    line = draw.chance.choice(lines)
    left = lined([other for other in lines if other != line])
    check = {"text": {"path": path, "equals": left, "case": True}}
    ask = f"remove the line “{line}” from `{path}`"
    return Part(ask, check, f"sed -i '/^{line}$/d' {path}", {path: lined(lines)}, (), (path,))


@tiny("count-lines", "read-text")
def count_lines(draw: Draw) -> Part:
    path, out, lines = draw.given(".txt"), draw.result(".txt"), draw.lines()
    ask = f"write the number of lines of `{path}` into `{out}`"
    files = {path: lined(lines)}
    return text_part(ask, out, str(len(lines)), f"wc -l < {path}", files, "Only the number.")


@tiny("sum-column", "compute-aggregates")
def sum_column(draw: Draw) -> Part:
    path, out, rows = draw.given(".csv"), draw.result(".txt"), draw.rows()
    ask = f"add up the column `number` of `{path}` and write the sum into `{out}`"
    command = f"awk -F, 'NR>1 {{s += $2}} END {{print s}}' {path}"
    total = str(sum(row[1] for row in rows))
    return text_part(ask, out, total, command, {path: table(rows)}, "Only the number.")


@tiny("top-row", "sort-rank")
def top_row(draw: Draw) -> Part:
    path, out, rows = draw.given(".csv"), draw.result(".txt"), draw.rows()
    ask = f"write the `item` with the largest `number` in `{path}` into `{out}`"
    command = f"tail -n +2 {path} | sort -t, -k2 -nr | head -n 1 | cut -d, -f1"
    top = max(rows, key=lambda row: row[1])[0]
    return text_part(ask, out, top, command, {path: table(rows)}, "Only the item.")


@tiny("sort-lines", "sort-rank")
def sort_lines(draw: Draw) -> Part:
    path, out, lines = draw.given(".txt"), draw.result(".txt"), draw.lines()
    if lines == sorted(lines):
        lines.reverse()
    ask = f"write the lines of `{path}` in alphabetical order into `{out}`"
    return text_part(ask, out, lined(sorted(lines)), f"sort {path}", {path: lined(lines)})


@tiny("unique-lines", "edit-text")
def unique_lines(draw: Draw) -> Part:
    path, out, lines = draw.given(".txt"), draw.result(".txt"), draw.lines()
    twice = [*lines, *draw.chance.sample(lines, 2)]
    ask = f"write the lines of `{path}` into `{out}` without repetitions, each at its first place"
    return text_part(ask, out, lined(lines), f"awk '!seen[$0]++' {path}", {path: lined(twice)})


@tiny("join-files", "reshape-data")
def join_files(draw: Draw) -> Part:
    first, second, out = draw.given(".txt"), draw.given(".txt"), draw.result(".txt")
    lines = draw.lines(6, 8)
    files = {first: lined(lines[:3]), second: lined(lines[3:])}
    ask = f"write the lines of `{first}` and after them those of `{second}` into `{out}`"
    return text_part(ask, out, lined(lines), f"cat {first} {second}", files)


@tiny("first-lines", "read-text")
def first_lines(draw: Draw) -> Part:
    path, out, lines = draw.given(".txt"), draw.result(".txt"), draw.lines(5, 8)
    count = draw.chance.randint(2, 3)
    ask = f"write the first {count} lines of `{path}` into `{out}`"
    return text_part(ask, out, lined(lines[:count]), f"head -n {count} {path}",
                     {path: lined(lines)})  # fmt: skip


@tiny("read-key", "read-structured")
def read_key(draw: Draw) -> Part:
    path, out = draw.given(".json"), draw.result(".txt")
    found = {name: number for name, number, _ in draw.rows()}
    key = draw.chance.choice(list(found))
    ask = f"write the value of `{key}` in `{path}` into `{out}`"
    command = f'python3 -c \'import json; print(json.load(open("{path}"))["{key}"])\''
    files = {path: json.dumps(found, indent=2) + "\n"}
    return text_part(ask, out, str(found[key]), command, files, "Only the number.")


@tiny("set-key", "edit-config")
def set_key(draw: Draw) -> Part:
    path = draw.given(".json")
    found = {name: number for name, number, _ in draw.rows()}
    key, value = draw.chance.choice(list(found)), draw.chance.randint(61, 99)
    check = {"data": {"path": path, "values": {"@": {**found, key: value}}}}
    ask = f"set `{key}` to {value} in `{path}` and leave the rest as it is"
    shell = f'sed -i \'s/"{key}": {found[key]}/"{key}": {value}/\' {path}'
    return Part(ask, check, shell, {path: json.dumps(found, indent=2) + "\n"}, (), (path,))


@tiny("filter-rows", "filter-rows")
def filter_rows(draw: Draw) -> Part:
    path, out, rows = draw.given(".csv"), draw.result(".csv"), draw.rows()
    place = rows[0][2]
    kept = [{"item": a, "number": b, "place": c} for a, b, c in rows if c == place]
    check = {"table": {"path": out, "rows": kept, "key": "item"}}
    ask = f"write the rows of `{path}` whose `place` is {place} into `{out}`"
    command = f"awk -F, 'NR==1 || $3==\"{place}\"' {path}"
    output = Output(path=out, format="csv", columns=["item", "number", "place"])
    return Part(ask, check, into(out, command), {path: table(rows)}, (output,))


@tiny("csv-to-json", "write-structured")
def csv_to_json(draw: Draw) -> Part:
    path, out, rows = draw.given(".csv"), draw.result(".json"), draw.rows()
    found = {a: b for a, b, _ in rows}
    check = {"data": {"path": out, "values": {"@": found}}}
    ask = f"turn `{path}` into an object in `{out}`, with each `item` as key and its `number`"
    program = (
        f'import csv, json; print(json.dumps({{r["item"]: int(r["number"]) '
        f'for r in csv.DictReader(open("{path}"))}}))'
    )
    output = Output(path=out, format="json", note="Numbers as numbers.")
    return Part(ask, check, into(out, f"python3 -c '{program}'"), {path: table(rows)}, (output,))


@tiny("find-word", "find-files")
def find_word(draw: Draw) -> Part:
    folder = draw.path("", "pages", "papers")
    names = [f"{stem}.txt" for stem in draw.chance.sample(PLACES, 3)]
    lines = draw.chance.sample(LINES, 9)
    files = {f"{folder}/{name}": lined(lines[3 * at : 3 * at + 3]) for at, name in enumerate(names)}
    at = draw.chance.randrange(3)
    phrase, name = lines[3 * at + 1], names[at]
    others = [other for other in names if other != name]
    check = {"message": {"contains": [name], "lacks": others}}
    ask = f"tell me the name of the one file in `{folder}/` that has the line “{phrase}”"
    return Part(ask, check, f"grep -rl '{phrase}' {folder}", files, message=f"It is {name}.")


@tiny("count-rows", "answer-question")
def count_rows(draw: Draw) -> Part:
    path, rows = draw.given(".csv"), draw.rows()
    place = rows[0][2]
    count = sum(row[2] == place for row in rows)
    fact = {"label": ["rows", place, "number", "count"], "value": count, "near": "sentence"}
    check = {"message": {"facts": [fact], "words": {"max": 30}}}
    ask = f"tell me how many rows of `{path}` have {place} as their `place` (at most 30 words)"
    shell = f"grep -c ',{place}$' {path}"
    message = f"The number of rows with {place} is {count}."
    return Part(ask, check, shell, {path: table(rows)}, message=message)


@tiny("sort-by-suffix", "organise-files")
def sort_by_suffix(draw: Draw) -> Part:
    folder, target = draw.path("", "inbox", "mixed"), draw.path("", "sorted", "texts")
    stems = draw.chance.sample(ITEMS, 5)
    lines = draw.chance.sample(LINES, 5)
    files = {
        f"{folder}/{stem}{'.txt' if at < 3 else '.csv'}": f"{line}\n"
        for at, (stem, line) in enumerate(zip(stems, lines, strict=True))
    }
    moved = {f"{target}/{stem}.txt": f"{folder}/{stem}.txt" for stem in stems[:3]}
    body = {"copies": moved, "absent": [f"{folder}/*.txt"]}
    listing = {target: sorted(f"{stem}.txt" for stem in stems[:3])}
    ask = f"make the folder `{target}/` and move all `.txt` files of `{folder}/` there"
    shell = f"mkdir -p {target}\nmv {folder}/*.txt {target}/"
    check = {"files": {**body, "exactly": listing}}
    return Part(ask, check, shell, files, (), (f"{folder}/*.txt",))
