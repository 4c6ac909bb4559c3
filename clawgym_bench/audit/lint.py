"""Gate *lint*: what can be seen wrong with a task without running it.

Each rule is a function from a `Reading` of the task to findings; those on one subject stand in
one module (`lint_paths`, `lint_checks`, `lint_names`, `lint_dates`, `lint_workspace`,
`lint_image`). Imported tasks have no contract, no citations and no canary of ours: the rules that
would ask for them do not apply, those on named files, leftovers, programs and the network do.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from clawgym_bench.audit import (
    lint_checks,
    lint_dates,
    lint_image,
    lint_names,
    lint_paths,
    lint_workspace,
)
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, verdict
from clawgym_bench.audit.lint_reading import Reading

NAME = "lint"
FINDINGS = 30
"""Of one rule. More of the same kind are counted in a last one."""
LOOKED = 200
"""Findings of one rule at most, so that a task of thousands of bad files takes no longer."""

Rule = Callable[[Reading], Iterator[Finding]]


async def run(context: Context) -> GateResult:
    reading = Reading(context.task)
    findings: list[Finding] = []
    for rule in RULES:
        found = list(dict.fromkeys(islice(rule(reading), LOOKED)))
        findings += found[:FINDINGS]
        if len(found) > FINDINGS:
            least = "at least " if len(found) >= LOOKED else ""
            more = f"and {least}{len(found) - FINDINGS} more of this kind"
            findings.append(Finding(found[FINDINGS].severity, more))
    ranks = {"error": 0, "warning": 1, "note": 2}
    findings.sort(key=lambda finding: ranks[finding.severity])
    figures = {
        f"{severity}s": float(sum(finding.severity == severity for finding in findings))
        for severity in ranks
    }
    return verdict(NAME, findings, figures)


def canary(reading: Reading) -> Iterator[Finding]:
    """Authored tasks carry a mark by which they are found in training data."""
    task = reading.task
    if task.provenance.kind == "authored" and not task.canary.strip():
        yield Finding(
            "error",
            "the task has no canary",
            "set `canary: clawgym-bench canary` and a new UUID",
            file="task.yaml",
        )
    if task.canary and task.canary in reading.request:
        yield Finding("error", "the request shows the canary", "take it out", file="task.yaml")


def checker(reading: Reading) -> Iterator[Finding]:
    """An imported task brings its checker, and does not show it to the agent."""
    task = reading.task
    if not reading.imported:
        return
    if not any(check.kind == "reward" for check in task.checks):
        yield Finding(
            "error",
            "there is no checker: neither reward/reward.sh nor reward/check.py",
            "add the task's reward folder",
        )
    kept = {file.content: path for path, file in task.files.items() if path.startswith("reward/")}
    for path, content in task.inputs.items():
        if content.strip() and content in kept and len(content) >= lint_workspace.TRIVIAL:
            program = kept[content].endswith((".py", ".sh"))
            yield Finding(
                "error" if program else "note",
                f"the agent is given {path}, which is {kept[content]} of the checker",
                "take it out of the inputs" if program else "",
                file=path,
            )


RULES: tuple[Rule, ...] = (
    lint_paths.files_named,
    lint_checks.citations,
    lint_checks.paths_read,
    lint_checks.answers,
    lint_names.names,
    lint_checks.form,
    lint_checks.vacuous,
    lint_checks.twice,
    lint_checks.weights,
    lint_dates.dates,
    lint_workspace.leftovers,
    lint_workspace.answers_by_name,
    lint_workspace.answers_by_content,
    lint_workspace.outputs,
    lint_workspace.sizes,
    lint_image.requirements,
    lint_image.network,
    lint_image.checker_network,
    canary,
    checker,
)
