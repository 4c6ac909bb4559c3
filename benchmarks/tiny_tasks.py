"""Task sets of any size in which there is next to nothing to do: what they cost is overhead."""

import json
from pathlib import Path

CALLS = 3
"""The oracle's tool calls per task: it lists the folder, reads the input, writes the result."""
INPUT, RESULT = "amounts.csv", "total.json"


def amounts(number: int) -> tuple[str, str]:
    """A task's input and its right result."""
    values = [number, 2 * number + 1, 7]
    lines = "\n".join(f"item {place},{value}" for place, value in enumerate(values, 1))
    return f"item,amount\n{lines}\n", json.dumps({"total": sum(values)}) + "\n"


def write_set(file: Path, count: int) -> None:
    """A JSON Lines file of `count` tasks that all differ."""
    with file.open("w", encoding="utf-8") as out:
        for number in range(1, count + 1):
            given, result = amounts(number)
            task = {
                "id": f"tiny-{number:06}",
                "title": f"Add up three amounts, number {number}",
                "category": "analysis-reasoning",
                "sessions": [
                    {"instruction": f"Add up the amounts in `{INPUT}` and write `{RESULT}`."}
                ],
                "outputs": [{"path": RESULT, "format": "json", "keys": ["total"]}],
                "checks": [
                    {
                        "id": "total",
                        "cites": "Add up the amounts",
                        "data": {"path": RESULT, "equals": f"expected/{RESULT}"},
                    }
                ],
                "files": {
                    f"workspace/{INPUT}": given,
                    f"expected/{RESULT}": result,
                    f"solution/files/{RESULT}": result,
                },
            }
            out.write(json.dumps(task) + "\n")
