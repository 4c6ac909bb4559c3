"""Building the site from results on disk."""

import base64
import json
import re
import zipfile
import zlib
from pathlib import Path

import pytest

from benchmarks.board import make_up
from clawgym_bench.board.add import RESULTS_BYTES, size_of, write_result
from clawgym_bench.board.site import build_site, read_entries
from clawgym_bench.board.trials import TRIALS, file_name
from clawgym_bench.errors import InputError
from tests.bench.board.runs import run


@pytest.fixture
def results(tmp_path: Path) -> Path:
    make_up(tmp_path / "results", 4, 6, 2)
    return tmp_path / "results"


def test_every_page_and_its_data_are_there(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    built = build_site(results, out)
    assert (built.runs, built.tasks) == (4, 6)
    for name in ("index", "run", "task", "trial", "reported"):
        assert (out / f"{name}.html").is_file()
    assert len(list((out / "data" / "runs").glob("*.js"))) == 4
    assert len(list((out / "data" / "trials").rglob("*.js"))) == 24
    assert {path.name for path in (out / "downloads").iterdir()} == {
        "runs.csv", "runs.json", "runs.parquet", "trials.parquet",
    }  # fmt: skip


def test_nothing_is_loaded_from_elsewhere(results: Path, tmp_path: Path) -> None:
    build_site(results, tmp_path / "site")
    for path in (tmp_path / "site").rglob("*"):
        if path.suffix in {".html", ".js", ".css"}:
            found = re.findall(r"https?://[^\s\"'`]+", path.read_text())
            assert set(found) <= {"http://www.w3.org/2000/svg"}, path


def test_an_equal_build_is_equal(results: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        build_site(results, tmp_path / name)
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file() and path.suffix != ".parquet"
        }
        for name in ("one", "two")
    )
    assert one == two


def test_a_folder_with_something_else_is_not_emptied(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.txt").write_text("precious")
    with pytest.raises(InputError, match="something else"):
        build_site(results, out)
    assert (out / "thesis.txt").read_text() == "precious"


def test_no_results_is_a_plain_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="board add"):
        build_site(tmp_path / "none", tmp_path / "site")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no result"):
        build_site(tmp_path / "empty", tmp_path / "site")


def test_a_result_of_another_version_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "results" / "odd"
    folder.mkdir(parents=True)
    write_result(run({"a": [1.0]}), folder)
    text = (folder / "result.json").read_text()
    (folder / "result.json").write_text(text.replace('"schema_version": 1', '"schema_version": 9'))
    with pytest.raises(InputError, match=r"odd/result\.json"):
        build_site(tmp_path / "results", tmp_path / "site")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    from clawgym_bench.board import read_result

    made = run({"a": [1.0, None]}, by="somebody", verified=True, open_weights=False)
    write_result(made, tmp_path)
    assert read_result(tmp_path) == made


@pytest.mark.parametrize(
    ("name", "method"),
    [("../../evil.json", zipfile.ZIP_DEFLATED), ("task.json", zipfile.ZIP_STORED)],
)
def test_a_strange_archive_of_trials_is_left_out_with_a_note(
    results: Path, tmp_path: Path, name: str, method: int
) -> None:
    with zipfile.ZipFile(results / "made-up-003" / TRIALS, "w", method) as out:
        out.writestr(name, "alert(1)")
    built = build_site(results, tmp_path / "site")
    assert any("made-up-003" in note for note in built.notes)
    assert not list(tmp_path.rglob("evil*"))


def test_a_bomb_among_the_trials_is_left_out(results: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(results / "made-up-003" / TRIALS, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("made-up-task-000.json", b"0" * (64 * 2**20))
    built = build_site(results, tmp_path / "site")
    assert any("too large" in note for note in built.notes)


def test_trials_reach_the_page_as_they_were_packed(results: Path, tmp_path: Path) -> None:
    build_site(results, tmp_path / "site")
    script = tmp_path / "site" / "data" / "trials" / "made-up-001" / "made-up-task-002.js"
    packed = script.read_text().split('"')[1]
    data = json.loads(zlib.decompress(base64.b64decode(packed), -15))
    assert data["task"] == "made-up-task-002"
    assert [trial["epoch"] for trial in data["trials"]] == [1, 2]


def test_a_table_for_spreadsheets_holds_no_formula(tmp_path: Path) -> None:
    folder = tmp_path / "results" / "r"
    folder.mkdir(parents=True)
    write_result(run({"a": [1.0], "b": [0.5]}, model="=cmd()"), folder)
    build_site(tmp_path / "results", tmp_path / "site")
    assert "'=cmd()" in (tmp_path / "site" / "downloads" / "runs.csv").read_text()


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "ü", "x" * 200])
def test_names_of_strangers_become_safe_names_of_files(name: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{24}", file_name(name))


SHIPPED = Path(__file__).parents[3] / "results"


def test_shipped_results_are_the_references_verified_and_small(tmp_path: Path) -> None:
    entries = {entry.folder: entry.result for entry in read_entries(SHIPPED)}
    assert {"oracle", "noop"} <= entries.keys()
    for name, result in entries.items():
        assert result.verified, f"results/{name} is not verified"
        assert result.recipe, f"results/{name} does not say how to make it again"
        assert result.unscored == 0
        for task in result.tasks:
            if result.kind == "oracle":
                assert task.score == 1.0, task.id
            elif result.kind == "junk":
                assert task.score is not None
                assert task.score <= 0.05, task.id
    assert size_of(SHIPPED) < RESULTS_BYTES
    assert not [name for name in entries if "made-up" in name]


@pytest.mark.parametrize(
    "field", ['"score": 7.0', '"score": NaN', '"score": Infinity', '"epoch": 0', '"success": 3']
)
def test_figures_that_cannot_be_are_refused(tmp_path: Path, field: str) -> None:
    folder = tmp_path / "results" / "odd"
    folder.mkdir(parents=True)
    write_result(run({"a": [0.5]}), folder)
    text = (folder / "result.json").read_text()
    name = field.split(":")[0]
    (folder / "result.json").write_text(re.sub(rf"{name}: [^,\s]+", field, text))
    with pytest.raises(InputError, match=r"odd/result\.json"):
        build_site(tmp_path / "results", tmp_path / "site")
