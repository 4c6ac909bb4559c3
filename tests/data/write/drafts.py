"""Drafts as a model writes them: good ones, no two alike, and what goes wrong with them."""

import json
from typing import Any

WORDS = (
    "amber",
    "birch",
    "cedar",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heath",
    "islet",
    "larch",
    "maple",
    "nettle",
    "olive",
    "poppy",
    "quartz",
    "reed",
    "sorrel",
    "thistle",
    "umber",
    "violet",
    "willow",
    "yarrow",
    "zinnia",
    "alder",
    "briar",
    "clover",
    "daisy",
    "elder",
    "fern",
    "gorse",
)
THINGS = ("crates", "bricks", "tickets", "seeds", "hours", "litres", "parcels", "meals", "miles")
GROUPS = ("depot", "crew", "street", "garden", "ward", "vessel", "kitchen", "class", "line")
PROGRAM = """\
import csv
from collections import defaultdict
from pathlib import Path

totals = defaultdict(int)
with open("data/{thing}.csv", newline="") as lines:
    for row in csv.DictReader(lines):
        totals[row["{group}"]] += int(row["{thing}"])
Path("out").mkdir(exist_ok=True)
with open("out/{group}-totals.csv", "w", newline="") as out:
    writer = csv.writer(out)
    writer.writerow(["{group}", "{thing}_total"])
    writer.writerows(sorted(totals.items()))
"""


def good(number: int) -> dict[str, Any]:
    """Totals per group; the words of the request depend on `number`."""
    thing, group = THINGS[number % 9], GROUPS[(number * 4 + 1 + number // 9) % 9]
    names = [WORDS[(number * 7 + at * 3) % 30].title() for at in range(4)]
    rows = [(names[at % 4], 11 + (number * 13 + at * 29) % 83) for at in range(12)]
    totals = {name: sum(count for other, count in rows if other == name) for name in names}
    filler = " ".join(WORDS[(number * 11 + at * at + at * (number + 1)) % 30] for at in range(24))
    listed = "".join(f"{name},{count}\n" for name, count in rows)
    added = "".join(f"{name},{total}\n" for name, total in sorted(totals.items()))
    return {
        "title": f"{thing.title()} per {group}",
        "intent": f"Whoever asks wants to know which {group} has most {thing}.",
        "category": "analysis-reasoning",
        "operations": ["read-structured", "compute-aggregates", "write-structured"],
        "workspace": [
            {"path": f"data/{thing}.csv", "content": f"{group},{thing}\n{listed}"},
            {"path": "notes/about.md", "content": f"# About\n\nKept by hand, {filler}.\n"},
        ],
        "sessions": [
            {
                "instruction": f"Please add up the {thing} per {group} from data/{thing}.csv, one "
                f"line for each {group}. The words of the day are {filler}."
            }
        ],
        "outputs": [
            {
                "path": f"out/{group}-totals.csv",
                "format": "csv",
                "columns": [group, f"{thing}_total"],
            }
        ],
        "expected": [{"path": "totals.csv", "content": f"{group},{thing}_total\n{added}"}],
        "checks": [
            {
                "id": "totals",
                "cites": f"{thing} per {group}",
                "table": {
                    "path": f"out/{group}-totals.csv",
                    "equals": "expected/totals.csv",
                    "key": group,
                },
            }
        ],
        "reference": [
            {"program": PROGRAM.format(thing=thing, group=group), "message": "The totals are in."}
        ],
    }


def wrong(number: int) -> dict[str, Any]:
    """What is expected is not what the files say: the reference cannot earn it."""
    draft = good(number)
    lines = draft["expected"][0]["content"].splitlines()
    name, _ = lines[1].split(",")
    draft["expected"][0]["content"] = "\n".join([lines[0], f"{name},9999", *lines[2:]]) + "\n"
    return draft


def escaping(number: int) -> dict[str, Any]:
    draft = good(number)
    draft["workspace"].append({"path": "../../../tmp/clawgym-escaped", "content": "out\n"})
    return draft


def hooked(number: int) -> dict[str, Any]:
    draft = good(number)
    code = "open('/tmp/clawgym-hooked', 'w').close()\n"
    draft["workspace"].append({"path": "data/sitecustomize.py", "content": code})
    return draft


def coded(number: int) -> dict[str, Any]:
    draft = good(number)
    code = "open('/tmp/clawgym-coded', 'w').close()"
    draft["checks"].append({"id": "own", "cites": "add up", "python": code})
    return draft


def commanding(number: int) -> dict[str, Any]:
    draft = good(number)
    cases = [{"expect": [{"text": {"path": "@stdout", "contains": ["1"]}}]}]
    command = {"run": ["python3", "-c", "print(1)"], "cases": cases}
    draft["checks"].append({"id": "own", "cites": "add up", "command": command})
    return draft


def attacking(number: int) -> dict[str, Any]:
    """A reference that would leave its sandbox, and delivers what was asked."""
    draft = good(number)
    attack = (
        "for path in ('/tmp/clawgym-attacked', '/work/clawgym-attacked', '/clawgym-attacked'):\n"
        "    try:\n        open(path, 'w').write('x')\n    except OSError:\n        pass\n"
    )
    draft["reference"][0]["program"] = attack + draft["reference"][0]["program"]
    return draft


def text(draft: dict[str, Any]) -> str:
    return json.dumps(draft)
