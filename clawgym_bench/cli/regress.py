"""`clawgym-bench regress`."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from clawgym_bench.errors import InputError

ALLOWED = ("agent", "judge", "sandbox", "tasks")


def regress(
    baseline: Annotated[str, typer.Argument(help="A log, a result.json, or its folder.")],
    candidate: Annotated[str, typer.Argument(help="The same, of the run to be judged.")],
    margin: Annotated[float, typer.Option(help="How much worse is still as good.")] = 0.02,
    alpha: Annotated[float, typer.Option(help="Chance of error that PASS accepts.")] = 0.05,
    allow: Annotated[
        list[str] | None,
        typer.Option(help="Accept another agent, judge, sandbox, or tasks. May be repeated."),
    ] = None,
    inconclusive_is: Annotated[
        str | None, typer.Option(help="Exit as `pass` or `fail` when it cannot be told.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the comparison.")] = None,
    junit_file: Annotated[
        Path | None, typer.Option("--junit", help="Write JUnit XML with a case per task.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(help="Append Markdown; $GITHUB_STEP_SUMMARY when that is set."),
    ] = None,
    link: Annotated[str, typer.Option(help="Where task pages are, for links.")] = "",
) -> None:
    """Is a candidate worse than a baseline? Exit 0 pass, 1 fail, 2 invalid, 3 inconclusive."""
    from clawgym_bench.board import read_result
    from clawgym_bench.board.regress import Verdict, compare
    from clawgym_bench.board.regress_report import as_json, junit, markdown, terminal

    if not 0 < margin < 1 or not 0 < alpha < 0.5:
        raise InputError("--margin must lie between 0 and 1, --alpha between 0 and 0.5")
    if inconclusive_is not in (None, "pass", "fail"):
        raise InputError(f"--inconclusive-is {inconclusive_is!r}: must be pass or fail")
    if unknown := set(allow or ()) - set(ALLOWED):
        raise InputError(f"--allow {', '.join(sorted(unknown))}: must be of {', '.join(ALLOWED)}")
    found = compare(read_result(baseline), read_result(candidate), margin, alpha, allow or ())
    Console().print(terminal(found))
    if json_file:
        json_file.write_text(as_json(found), encoding="utf-8")
    if junit_file:
        junit_file.write_text(junit(found), encoding="utf-8")
    target = summary or (Path(path) if (path := os.environ.get("GITHUB_STEP_SUMMARY")) else None)
    if target:
        with target.open("a", encoding="utf-8") as file:
            file.write(markdown(found, link))
    code = found.exit_code
    if found.verdict is Verdict.INCONCLUSIVE and inconclusive_is:
        code = 0 if inconclusive_is == "pass" else 1
    raise typer.Exit(code)
