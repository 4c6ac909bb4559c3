"""A grade in words: what the viewer shows as a sample's explanation."""

from clawgym_bench.grading import CheckResult, Grade

REASON_CHARACTERS = 300


def explain(result: Grade) -> str:
    """Markdown: the verdict in one line, then every check with its reason, lost points first."""
    if result.status == "unscored":
        return f"Unscored: {result.reason}"
    assert result.score is not None
    lines = [f"**score {result.score:.3f}**" + (" · success" if result.success else "")]
    if result.failed_gates:
        lines.append(f"\nA gate failed, so nothing counts: {', '.join(result.failed_gates)}")
    if result.rubric_status == "no judge":
        lines.append("\nThis task has a rubric; no model has the role `grader`: checks only.")
    lines += ["", "| | check | pts | reason |", "|---|---|---|---|"]
    lines += [_row(check) for check in sorted(result.results, key=lambda check: check.passed)]
    if result.verdicts:
        lines += ["", "| criterion | level | reason | quotes |", "|---|---|---|---|"]
        for verdict in result.verdicts:
            quotes = " / ".join(f"“{quote}”" for quote in verdict.quotes)
            cells = [verdict.criterion, f"{verdict.level:g}", verdict.reason, quotes]
            lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    return "\n".join(lines)


def _row(check: CheckResult) -> str:
    mark = "✓" if check.passed else "✗"
    earned = f"{round(check.score * check.weight, 3):g}/{check.weight:g}"
    cells = [f"{check.id} ({check.kind})", "gate" if check.gate else earned, check.reason]
    return f"| {mark} | " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    flat = " ".join(text.split()).replace("|", "\\|")
    return flat if len(flat) <= REASON_CHARACTERS else flat[: REASON_CHARACTERS - 1] + "…"
