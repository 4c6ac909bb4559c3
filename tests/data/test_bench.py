"""Drawing a benchmark: its proportions, its card, and training sets that keep away from it."""

from collections import Counter
from pathlib import Path

import pytest

from clawgym_bench.audit.gates import GATES
from clawgym_bench.errors import InputError
from clawgym_bench.setcard import SetCard
from clawgym_bench.task import Task, read_tasks
from clawgym_bench.taskset import TaskSet, bench_folder, load_bench
from clawgym_data.__main__ import main
from clawgym_data.bench import bench_settings, draw_bench, write_card
from clawgym_data.compose import compose
from clawgym_data.filters.contamination import Bench
from clawgym_data.pipeline import ComposerEngine
from clawgym_data.pipeline.balance import CATEGORIES, apportioned


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """50 tasks, the shipped authored ones among them; not audited."""
    out = tmp_path_factory.mktemp("bench") / "set"
    found = draw_bench(ComposerEngine(12), out, authored=authored(), size=50, gates=(), workers=1)
    assert found.why == ""
    return out


def authored() -> list[Task]:
    return [task for task in load_bench() if task.provenance.kind == "authored"]


def test_a_benchmark_has_the_proportions_of_the_paper(drawn: Path) -> None:
    tasks = list(read_tasks(drawn))
    assert Counter(task.category for task in tasks) == apportioned(CATEGORIES, 50)
    assert sum(task.hybrid for task in tasks) == 11
    assert {task.id for task in authored()} <= {task.id for task in tasks}
    plans = [task.provenance.skeleton for task in tasks if task.provenance.skeleton]
    assert len(set(plans)) == len(plans) == 50 - len(authored())


def test_200_tasks_have_its_counts() -> None:
    settings = bench_settings(200, [])
    assert settings.n == 200
    assert apportioned(settings.targets.categories, 200) == dict(CATEGORIES)
    assert round(settings.targets.hybrid * 200) == 44
    assert round(settings.targets.checks_only * 200) == 156
    assert settings.gates == tuple(GATES)
    assert settings.most_per_plan == 1


def test_authored_tasks_beyond_a_share_are_refused() -> None:
    with pytest.raises(InputError, match="too many authored tasks for a benchmark of 13"):
        bench_settings(13, authored())
    with pytest.raises(InputError, match="leave nothing to draw"):
        bench_settings(5, authored())


def test_the_card_lists_every_task_and_tells_changes(drawn: Path, tmp_path: Path) -> None:
    card = SetCard.read(drawn)
    assert card is not None
    tasks = TaskSet.read(drawn, "set")
    assert card.hash == tasks.content_hash
    assert tasks.version == f"0.2.0+{card.hash[:12]}"
    hashes = {task_id: tasks[task_id].content_hash for task_id in tasks}
    assert card.differences(hashes) == []
    first, second, *rest = hashes
    other = {second: "0" * 64, **{name: hashes[name] for name in rest}, "new": "1" * 64}
    assert card.differences(other) == [
        f"{first} is missing",
        "new is not on the card",
        f"{second} was changed",
    ]


def test_a_changed_set_says_so_in_its_version(tmp_path: Path) -> None:
    found = draw_bench(ComposerEngine(4), tmp_path / "set", size=10, gates=(), workers=1)
    assert found.card is not None
    file = next((tmp_path / "set").glob("*/task.yaml"))
    file.write_text(file.read_text("utf-8").replace("title: ", "title: 'Now' # ", 1), "utf-8")
    changed = TaskSet.read(tmp_path / "set", "set")
    assert changed.version.startswith("0.2.0-changed+")
    card = write_card(tmp_path / "set", "0.3.0")
    again = TaskSet.read(tmp_path / "set", "set")
    assert again.version == f"0.3.0+{card.hash[:12]}"


def test_the_shipped_set_is_what_its_card_says() -> None:
    card = SetCard.read(bench_folder())
    assert card is not None
    shipped = {task.id: task.content_hash for task in load_bench()}
    assert card.differences(shipped) == [], "clawgym-data bench --card, with a new version"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a list", "Input should be a valid dictionary"),
        ("name: x\nversion: '1'\nhash: ab\ntasks: {}\n", "version"),
        ("name: [", "cannot be read"),
    ],
)
def test_a_damaged_card_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bench.yaml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        SetCard.read(tmp_path)


def test_training_keeps_away_from_what_was_drawn(drawn: Path) -> None:
    """The same persona, composition or words are each refused."""
    bench = Bench(read_tasks(drawn))
    task = next(task for task in read_tasks(drawn) if task.provenance.kind == "composed")
    assert bench.check(task).sign == "skeleton"
    elsewhere = task.provenance.model_copy(update={"skeleton": "another"})
    assert bench.check(task.model_copy(update={"provenance": elsewhere})).sign == "13-grams"
    fresh = [compose(991, number) for number in (0, 1, 2, 3, 4)]
    clean = [made for made in fresh if not bench.check(made).sign]
    assert clean
    assert bench.check(clean[0].model_copy(update={"persona": task.persona})).sign == "persona"


def test_the_command_writes_a_card_for_what_is_there(
    drawn: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["clawgym-data", "bench", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    code, told, _ = call("--card", "--out", str(drawn), "--version", "0.2.1")
    assert code == 0
    assert "clawgym-bench 0.2.1, 50 tasks" in told
    code, _, error = call("--out", str(drawn))
    assert code == 2
    assert "is not empty" in error
    code, _, error = call("--out", str(drawn), "--version", "new")
    assert code == 2
    assert "three numbers" in error
