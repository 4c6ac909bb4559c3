"""Task folders in ClawGym's format, as other people have them, run through Inspect."""

import math
import shutil
from pathlib import Path

import pytest

from clawgym_bench.evaluation import imported
from clawgym_bench.task import read_tasks
from tests.e2e.conftest import RunEval, by_id
from tests.sandbox_params import SANDBOXES
from tests.scripted_model import follow, scripted_model

FIXTURES = Path(__file__).parents[1] / "fixtures" / "clawgym"
HONEST = [
    ("ls", {"path": "."}),
    ("read", {"path": "notes.txt"}),
    (
        "exec",
        {
            "command": "mkdir -p out; find / -path '*/reward/*' -o -name reward.sh -o "
            "-name data_entry.json > out/seen.txt 2>/dev/null; "
            "echo 'print(\"shadow\")' > json.py"
        },
    ),
    ("write", {"path": "out/score.sh", "content": "echo '{\"total\": 1.0}'\n"}),
    ("write", {"path": "out/report.txt", "content": "total: 7\n"}),
    "The total is 7.",
]
IDLE = ["I will not do this."]


@pytest.fixture(scope="module")
def short_limits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixtures, unchanged, at a place of their own."""
    folder = tmp_path_factory.mktemp("clawgym")
    shutil.copytree(FIXTURES, folder / "set")
    return folder / "set"


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.slow
def test_checkers_of_every_kind_end_in_the_right_score(
    run_eval: RunEval, short_limits: Path, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgym_bench.task.clawgym.GRADING_SECONDS", 3)
    before = {path: path.read_bytes() for path in short_limits.rglob("*") if path.is_file()}
    log = run_eval(
        imported(path=str(short_limits), sandbox=sandbox), scripted_model(follow(HONEST))
    )
    assert log.status == "success"
    samples = by_id(log)
    values = {}
    for task_id, sample in samples.items():
        value = (sample.scores or {})["hybrid"].value
        values[task_id] = value["score"] if isinstance(value, dict) else None
        if not isinstance(value, dict):
            assert isinstance(value, float)
            assert math.isnan(value)
    assert values == {
        "task_0001": 1.0,
        "task_0002": 0.75,
        "task_0003": 1.0,
        "task_0004": 1.0,
        "task_0005": None,
        "task_0006": None,
        "task_0007": None,
        "task_0008": None,
        "task_0009": 1.0,
        "task_0010": 1.0,
        "task_0011": 1.0,
        "task_0012": 1.0,
        "task_0013": 1.0,
    }
    reasons = {name: samples[name].scores["hybrid"].explanation for name in samples}  # type: ignore[index]
    assert "the checker itself is broken" in str(reasons["task_0005"])
    assert "time limit" in str(reasons["task_0006"])
    assert "printed no score" in str(reasons["task_0007"])
    assert "outside 0 to 1" in str(reasons["task_0008"])
    after = {path: path.read_bytes() for path in short_limits.rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.bwrap
def test_an_idle_agent_gets_what_the_checkers_give_it(run_eval: RunEval) -> None:
    log = run_eval(
        imported(path=str(FIXTURES), sandbox="bwrap", ids="task_0001,task_0002,task_0003"),
        scripted_model(follow(IDLE)),
    )
    scores = [(sample.scores or {})["hybrid"].value["score"] for sample in log.samples or []]  # type: ignore[index,call-overload]
    assert scores == [0.0, 0.0, 0.0]


@pytest.mark.bwrap
def test_real_requests_end_in_a_snapshot_and_a_log(run_eval: RunEval, samples: Path) -> None:
    tasks = list(read_tasks(samples))
    assert len(tasks) == 12
    acts = [
        ("ls", {"path": "."}),
        ("exec", {"command": "find . -type f | sort | tee listing.txt"}),
        ("read", {"path": "listing.txt"}),
        ("write", {"path": "output/answer.md", "content": "# Done\n"}),
        "Done.",
    ]
    log = run_eval(imported(path=str(samples), sandbox="bwrap"), scripted_model(follow(acts)))
    assert log.status == "success"
    assert len(log.samples or []) == 12
    for sample in log.samples or []:
        score = (sample.scores or {})["hybrid"]
        assert score.explanation == "Unscored: no checker"
        assert sample.store["clawgym:evidence"]["removed"] == []
        listing = next(m for m in sample.messages if m.role == "tool" and m.function == "exec")
        assert "./" in listing.text
        assert "reward" not in listing.text


@pytest.mark.bwrap
def test_a_checker_beside_a_real_request_scores_it(
    run_eval: RunEval, samples: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "set" / "task_0004"
    shutil.copytree(samples / "task_0004", folder)
    folder.chmod(0o755)
    (folder / "reward").mkdir()
    (folder / "reward/check.py").write_text(
        "import json, sys\n"
        "from pathlib import Path\n"
        "plan = Path(sys.argv[1], 'output/content_plan.csv')\n"
        "print(json.dumps({'plan': plan.is_file() and plan.read_text().startswith('date,')}))\n"
    )
    acts = [("write", {"path": "output/content_plan.csv", "content": "date,channel\n"}), "Done."]
    log = run_eval(
        imported(path=str(tmp_path / "set"), sandbox="bwrap"), scripted_model(follow(acts))
    )
    (sample,) = log.samples or []
    assert (sample.scores or {})["hybrid"].value["score"] == 1.0  # type: ignore[index,call-overload]
