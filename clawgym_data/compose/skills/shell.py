"""Shell scripts that do a chore in a folder; graded by running them on folders not seen before."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Value
from clawgym_data.compose.world import World

Folder = Mapping[str, str]
CASES = 2


@dataclass(frozen=True)
class Chore:
    """What a script does in the folder given as its only argument.

    `number` are the values that `{n}` in `purpose` and `source` may take. `truth` gives the folder
    afterwards and what is printed; it shares nothing with `source`.
    """

    name: str
    purpose: str
    source: str
    number: tuple[int, ...]
    draw: Callable[[random.Random, int], dict[str, str]]
    truth: Callable[[Folder, int], tuple[dict[str, str], str]]


def _dated(chance: random.Random, n: int) -> dict[str, str]:
    days = chance.sample(range(1, 29), n + chance.randint(3, 5))
    month = chance.randint(1, 12)
    files = {f"dump-2026-{month:02d}-{day:02d}.sql": f"-- day {day}\n" for day in days}
    return files | {"README": "Dumps of the small database.\n", "dump-latest.txt": "see above\n"}


def _rotated(folder: Folder, n: int) -> tuple[dict[str, str], str]:
    dumps = sorted((name for name in folder if name.endswith(".sql")), reverse=True)
    gone = set(dumps[n:])
    left = {name: text for name, text in folder.items() if name not in gone}
    return left, f"removed {len(gone)}\n"


def _mixed(chance: random.Random, n: int) -> dict[str, str]:
    names = ("Plan", "notes", "Budget 2026", "photo", "Draft", "list", "Summary", "old data")
    ends = (".md", ".txt", ".csv", ".MD", ".jpg")
    chosen = chance.sample(names, 7)
    files = {name + chance.choice(ends): f"{name}\n" * chance.randint(1, 6) for name in chosen}
    return files | {"sub/inner.txt": "inner\n", "Two Words.txt": "two words\n"}


def _counted(folder: Folder, n: int) -> tuple[dict[str, str], str]:
    counts = Counter(name.rsplit(".", 1)[1].lower() for name in folder)
    return dict(folder), "".join(f"{end} {counts[end]}\n" for end in sorted(counts))


def _lowered(folder: Folder, n: int) -> tuple[dict[str, str], str]:
    renamed = {
        name if "/" in name else name.lower().replace(" ", "-"): text
        for name, text in folder.items()
    }
    count = sum("/" not in name and name != name.lower().replace(" ", "-") for name in folder)
    return renamed, f"renamed {count}\n"


def _parts(chance: random.Random, n: int) -> dict[str, str]:
    words = ("Opening", "Budget", "Members", "Repairs", "Outing", "Any other business")
    chosen = chance.sample(words, chance.randint(4, 6))
    files = {
        f"{10 * (number + 1):02d}-{word.lower().replace(' ', '-')}.md": f"# {word}\n\n"
        f"{chance.randint(2, 40)} lines in the file of {chance.randint(2019, 2026)}.\n"
        for number, word in enumerate(chosen)
    }
    return files | {"draft.txt": "not a part\n"}


def _joined(folder: Folder, n: int) -> tuple[dict[str, str], str]:
    parts = [folder[name] for name in sorted(folder) if name.endswith(".md")]
    return {**folder, "COMPLETE": "\n---\n\n".join(parts)}, f"{len(parts)} parts\n"


CHORES = {
    chore.name: chore
    for chore in (
        Chore(
            "rotate",
            "keeps the {n} newest `dump-YYYY-MM-DD.sql` files of the folder, by the date in the "
            "name, deletes the older ones, leaves everything else alone and prints `removed N`",
            """#!/bin/bash
set -euo pipefail
cd "$1"
keep={n}
removed=0
while read -r name; do
  rm -- "$name"
  removed=$((removed + 1))
done < <(ls -1 dump-????-??-??.sql | sort -r | tail -n +$((keep + 1)))
echo "removed $removed"
""",
            (2, 3, 4, 5),
            _dated,
            _rotated,
        ),
        Chore(
            "count-endings",
            "counts the files in the folder and its subfolders by the ending of their names, "
            "without regard to capitals, and prints a line `<ending> <count>` for each, in "
            "alphabetical order",
            """#!/bin/bash
set -euo pipefail
find "$1" -type f | sed 's/.*\\.//' | tr 'A-Z' 'a-z' | sort | uniq -c | awk '{print $2, $1}'
""",
            (0,),
            _mixed,
            _counted,
        ),
        Chore(
            "tidy-names",
            "renames the files directly in the folder (not those in subfolders) to small letters "
            "with a hyphen for each space, and prints `renamed N`, where N counts the names that "
            "changed",
            """#!/bin/bash
set -euo pipefail
cd "$1"
renamed=0
for old in *; do
  [ -f "$old" ] || continue
  new=$(printf '%s' "$old" | tr 'A-Z' 'a-z' | tr ' ' '-')
  if [ "$new" != "$old" ]; then
    mv -- "$old" "$new"
    renamed=$((renamed + 1))
  fi
done
echo "renamed $renamed"
""",
            (0,),
            _mixed,
            _lowered,
        ),
        Chore(
            "join-parts",
            "joins the `.md` files of the folder, in the order of their names, into `COMPLETE` in "
            "the same folder, with a blank line, a line `---` and a blank line between two parts, "
            "and prints `N parts`",
            """#!/bin/bash
set -euo pipefail
cd "$1"
count=0
for part in *.md; do
  if [ $count -gt 0 ]; then printf '\\n---\\n\\n' >> .joined; fi
  cat -- "$part" >> .joined
  count=$((count + 1))
done
mv .joined COMPLETE
echo "$count parts"
""",
            (0,),
            _parts,
            _joined,
        ),
    )
}


@skill("write-shell-script", "automate-shell", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class WriteShellScript(Skill):
    """A script for a chore; the workspace holds a folder to try it on."""

    path: str
    chore: str
    number: int
    sample: str
    folders: tuple[tuple[tuple[str, str], ...], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        chore = CHORES[chance.choice(sorted(CHORES))]
        number = chance.choice(chore.number)
        drawn = tuple(tuple(chore.draw(chance, number).items()) for _ in range(CASES + 1))
        path = world.path(chore.name, ".sh", "bin", "scripts", "tools")
        return cls(path, chore.name, number, world.path(f"{chore.name} example", ""), drawn)

    def detail(self) -> str:
        return self.chore

    def apply(self, inputs: Sequence[Value]) -> Step:
        chore = CHORES[self.chore]
        hidden: dict[str, bytes] = {}
        cases = []
        for number, folder in enumerate(self.folders[1:], 1):
            after, printed = chore.truth(dict(folder), self.number)
            given = {f"case-{number}/{name}": f"hidden/{number}/{name}" for name, _ in folder}
            hidden |= {f"hidden/{number}/{name}": text.encode() for name, text in folder}
            expect: list[dict[str, Any]] = [
                {"files": {"exactly": {f"case-{number}": sorted(after)}}},
                {"text": {"path": "@stdout", "equals": printed}},
            ]
            made = {name: text for name, text in after.items() if name not in dict(folder)}
            if self.chore == "join-parts":
                expect += [
                    {"text": {"path": f"case-{number}/{name}", "equals": text}}
                    for name, text in made.items()
                ]
            cases.append({"args": [f"case-{number}"], "files": given, "expect": expect})
        check = {
            "command": {"run": ["bash", self.path], "seconds": 20, "cases": cases},
            "weight": 3,
        }
        purpose = chore.purpose.replace("{n}", str(self.number))
        do = (
            f"write a bash script `{self.path}`, called as `bash {self.path} FOLDER`, that "
            f"{purpose}",
        )
        rule = (
            f"`{self.sample}/` is a folder to try it on; leave that as it is in the end, work on a "
            "copy."
        )
        files = {f"{self.sample}/{name}": text.encode() for name, text in self.folders[0]}
        output = Output(path=self.path, format="bash")
        source = chore.source.replace("{n}", str(self.number))
        code = f"Path(folder({self.path!r})).write_text({source!r})"
        deliver = Deliverable(self.path, do[0], (output,), (check,), hidden=hidden)
        return Step(None, Say(do=do), code, ("folder",), files, rules=(rule,), deliver=deliver)
