"""Skills that bring their own material, and sinks for facts: right work earns all, none nothing."""

from pathlib import Path

import pytest

from clawgym_bench.checks.base import Evidence
from clawgym_bench.grading import grade
from clawgym_data.compose.programs import PROGRAMS, run
from clawgym_data.compose.skill import OPERATIONS, SKILLS
from clawgym_data.compose.skills.code import draw
from tests.data.plays import lay, outcomes, reference, snapshot, tasks_with

ACTS = [
    *("sort-into-folders", "rename-files", "archive-old-files", "checksums"),
    *("compare-folders", "find-duplicates", "find-mentions"),
    *("write-program", "fix-program", "write-shell-script"),
    *("change-settings", "raise-versions", "plan-cron-jobs"),
    *("replace-terms", "redact-contacts", "collect-actions", "release-changelog"),
    *("split-document", "correct-figures"),
    *("find-free-slot", "apply-policy", "update-memory"),
    *("draft-mail", "answer-mails", "merge-contacts"),
]


@pytest.mark.parametrize("name", ACTS)
def test_the_reference_earns_everything_and_an_untouched_workspace_nothing(
    name: str, tmp_path: Path
) -> None:
    for number, task in enumerate(tasks_with(name, 2)):
        worked, untouched = tmp_path / f"{number}", tmp_path / f"{number}-untouched"
        evidence = reference(task, worked)
        found = grade(task, evidence, outcomes(task, worked))
        assert found.score == 1.0, [r.reason for r in found.results if not r.passed]
        lay({path: file.content for path, file in task.workspace.items()}, untouched)
        nothing = Evidence(snapshot(untouched), task.inputs, task.hidden, ("Done.",))
        assert grade(task, nothing, outcomes(task, untouched)).score == 0.0


@pytest.mark.parametrize("name", ACTS)
def test_blocks_are_pure(name: str) -> None:
    first, second = (next(tasks_with(name, 1)) for _ in range(2))
    assert first.content_hash == second.content_hash


def test_every_skill_is_an_instance_of_an_atomic_operation() -> None:
    assert {cls.operation for cls in SKILLS.values()} <= OPERATIONS


class TestPrograms:
    """Sources and truths agree, and every bug comes to light."""

    def test_sources_agree_with_truths(self, chance) -> None:
        for _ in range(40):
            draw(chance)  # raises when they disagree

    @pytest.mark.parametrize("name", sorted(PROGRAMS))
    def test_every_bug_shows(self, name: str, chance) -> None:
        program = PROGRAMS[name]
        for bug in program.bugs:
            shown = False
            for _ in range(40):
                parameters = program.draw(chance)
                text = program.case(chance, parameters)
                wanted = "\n".join(program.truth(text, parameters)) + "\n"
                shown = shown or run(program.text(parameters, bug), text) != wanted
            assert shown, bug.symptom
