"""A comparison as people and machines read it: terminal, Markdown, JSON, JUnit XML."""

import dataclasses
import json
from xml.etree import ElementTree

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clawgym_bench.board.regress import Comparison, Pair, Verdict

COLOURS = {
    Verdict.PASS: "green",
    Verdict.FAIL: "red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.INVALID: "magenta",
}
SHOWN = 20


def moved(comparison: Comparison) -> list[Pair]:
    """Pairs that changed sides, and then those with the largest fall."""
    changed = {*comparison.newly_failing, *comparison.newly_passing}
    return sorted(
        (pair for pair in comparison.pairs if pair.id in changed or abs(pair.difference) > 1e-9),
        key=lambda pair: (pair.id not in changed, pair.difference, pair.id),
    )


def facts(comparison: Comparison) -> list[tuple[str, str]]:
    """What the verdict rests on, as label and value."""
    if not comparison.pairs or comparison.verdict is Verdict.INVALID:
        return [("lost", text) for text in comparison.lost]
    level = f"{1 - comparison.alpha:.0%}"
    rows = [
        ("tasks compared", str(len(comparison.pairs))),
        ("difference", f"{comparison.difference:+.4f}"),
        (f"{level} bounds", f"{comparison.lower:+.4f} to {comparison.upper:+.4f}"),
        ("margin", f"{comparison.margin:g}"),
        (
            "strict success",
            f"{len(comparison.newly_failing)} newly failing, "
            f"{len(comparison.newly_passing)} newly passing (p = {comparison.p_mcnemar:.3f})",
        ),
        ("smallest detectable drop", f"{comparison.detectable:.3f}"),
    ]
    if comparison.verdict is Verdict.INCONCLUSIVE:
        rows.append(("would decide", would_decide(comparison)))
    return rows + [("lost", text) for text in comparison.lost]


def would_decide(comparison: Comparison) -> str:
    ways = []
    if comparison.more_epochs is not None:
        ways.append(f"{comparison.more_epochs} more epochs of each run")
    if comparison.more_tasks is not None:
        ways.append(f"{comparison.more_tasks} more tasks")
    return (" or ".join(ways) or "no number of epochs or tasks") + ", if the difference stays"


def terminal(comparison: Comparison) -> RenderableType:
    colour = COLOURS[comparison.verdict]
    parts: list[RenderableType] = [Text(comparison.verdict.value, style=f"bold {colour}")]
    parts += [Text(f"  {reason}") for reason in comparison.reasons]
    listing = Table(box=None, pad_edge=False, show_header=False)
    for label, value in facts(comparison):
        listing.add_row(label, value)
    parts.append(listing)
    changes = moved(comparison)
    if changes and comparison.verdict is not Verdict.INVALID:
        table = Table(box=None, pad_edge=False)
        for column in ("task", "baseline", "candidate", "change", ""):
            table.add_column(column, justify="right" if column != "task" else "left")
        for pair in changes[:SHOWN]:
            table.add_row(*_cells(comparison, pair))
        parts += [Text(""), table]
        if len(changes) > SHOWN:
            parts.append(Text(f"… and {len(changes) - SHOWN} more with another score"))
    return Group(*parts)


def _cells(comparison: Comparison, pair: Pair) -> tuple[str, ...]:
    side = ""
    if pair.id in comparison.newly_failing:
        side = "newly failing"
    elif pair.id in comparison.newly_passing:
        side = "newly passing"
    scores = f"{pair.baseline:.3f}", f"{pair.candidate:.3f}", f"{pair.difference:+.3f}"
    return (pair.id, *scores, side)


def markdown(comparison: Comparison, link: str = "") -> str:
    """For `$GITHUB_STEP_SUMMARY`. `link` is put before a task's id ("site/tasks/")."""
    sign = {Verdict.PASS: "✅", Verdict.FAIL: "❌", Verdict.INCONCLUSIVE: "🤷"}
    lines = [f"## {sign.get(comparison.verdict, '⚠️')} {comparison.verdict.value}", ""]
    lines += [f"- {reason}" for reason in comparison.reasons]
    lines += ["", "| | |", "|---|---|"]
    lines += [f"| {label} | {value} |" for label, value in facts(comparison)]
    changes = moved(comparison)
    if changes and comparison.verdict is not Verdict.INVALID:
        lines += ["", "| task | baseline | candidate | change | |", "|---|--:|--:|--:|---|"]
        for pair in changes[:SHOWN]:
            name, *cells = _cells(comparison, pair)
            shown = f"[{name}]({link}{name}.html)" if link else name
            lines.append("| " + " | ".join((shown, *cells)) + " |")
    return "\n".join(lines) + "\n"


def as_json(comparison: Comparison) -> str:
    found = dataclasses.asdict(comparison)
    return json.dumps({**found, "exit_code": comparison.exit_code}, indent=2) + "\n"


def junit(comparison: Comparison) -> str:
    """One case per task; a newly failing task is a failure only where the verdict is FAIL."""
    failing = set(comparison.newly_failing) if comparison.verdict is Verdict.FAIL else set()
    suite = ElementTree.Element(
        "testsuite",
        name="clawgym-regress",
        tests=str(len(comparison.pairs) + 1),
        failures=str(len(failing) + (comparison.verdict is Verdict.FAIL)),
        errors=str(int(comparison.verdict is Verdict.INVALID)),
        skipped=str(int(comparison.verdict is Verdict.INCONCLUSIVE)),
    )
    whole = ElementTree.SubElement(suite, "testcase", classname="verdict", name="regression")
    kind = {
        Verdict.FAIL: "failure",
        Verdict.INVALID: "error",
        Verdict.INCONCLUSIVE: "skipped",
    }.get(comparison.verdict)
    if kind:
        ElementTree.SubElement(whole, kind, message="; ".join(comparison.reasons))
    for pair in comparison.pairs:
        case = ElementTree.SubElement(suite, "testcase", classname=pair.category, name=pair.id)
        if pair.id in failing:
            message = f"{pair.baseline:.3f} before, {pair.candidate:.3f} now"
            ElementTree.SubElement(case, "failure", message=message)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
