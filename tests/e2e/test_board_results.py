"""From Inspect logs to results and to the pages of a trial."""

from pathlib import Path

import pytest

from clawgym_bench.board.add import add_run
from clawgym_bench.board.result import read_result, result_of_log
from clawgym_bench.board.site import build_site
from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import clawgym_bench
from tests.e2e.conftest import RunEval
from tests.e2e.test_board import CHROMIUM, FLAGS, Visitor

pytestmark = [pytest.mark.bwrap, pytest.mark.slow]


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
def test_from_a_real_log_to_the_page_of_a_trial(run_eval: RunEval, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    log = run_eval(clawgym_bench(agent="oracle", sandbox="bwrap", category="systems-automation"))
    stub = run_eval(clawgym_bench(agent="stub", sandbox="bwrap", category="systems-automation"))
    for one, recipe in ((log, "inspect eval clawgym_bench"), (stub, "")):
        add_run(one.location, tmp_path / "results", by="the tests", recipe=recipe)
    build_site(tmp_path / "results", tmp_path / "site")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        visitor = Visitor(browser, tmp_path / "site")
        sample = (stub.samples or [])[0]
        page = visitor.open(f"trial.html#run={stub.eval.run_id}&task={sample.id}&epoch=1")
        text = " ".join(page.inner_text("main").split())
        failed = [
            check for check in (sample.scores or {})["hybrid"].metadata["checks"]  # type: ignore[index]
            if not check["passed"]
        ]  # fmt: skip
        assert failed
        for check in failed:
            assert check["id"] in text
            reason = next(item["reason"] for item in check["findings"] if not item["ok"])
            assert " ".join(reason.split())[:60] in text
        page = visitor.open(f"task.html#task={sample.id}")
        assert str(sample.input).split("\n")[0] in page.inner_text("main")
        page = visitor.open(f"run.html#run={log.eval.run_id}")
        assert "the tests" in page.inner_text("main")
        assert visitor.errors == []
        browser.close()


def test_adding_an_equal_log_writes_equal_files(run_eval: RunEval, tmp_path: Path) -> None:
    log = run_eval(clawgym_bench(agent="oracle", sandbox="bwrap", ids="systems-log-triage"))
    one = add_run(log.location, tmp_path / "one")
    two = add_run(log.location, tmp_path / "two")
    for path in one.iterdir():
        assert path.read_bytes() == (two / path.name).read_bytes()
    assert read_result(one) == result_of_log(str(one / "log.eval"))
    with pytest.raises(InputError, match="--replace"):
        add_run(log.location, tmp_path / "one")
    add_run(log.location, tmp_path / "one", replace=True)


def test_a_run_with_a_key_in_it_is_not_added(run_eval: RunEval, tmp_path: Path) -> None:
    key = "sk-" + "a1B2c3D4" * 6
    log = run_eval(
        clawgym_bench(agent="noop", sandbox="bwrap", ids="systems-log-triage"),
        metadata={"note": f"ran with {key}"},
    )
    with pytest.raises(InputError, match="must not be published") as found:
        add_run(log.location, tmp_path / "results")
    assert key not in str(found.value)
    assert not (tmp_path / "results").exists()


def test_the_commands_lead_from_a_log_to_pages(run_eval: RunEval, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from clawgym_bench.cli import app

    log = run_eval(clawgym_bench(agent="noop", sandbox="bwrap", ids="systems-log-triage"))
    results, site = str(tmp_path / "results"), str(tmp_path / "site")
    added = CliRunner().invoke(
        app, ["board", "add", log.location, "--results", results, "--name", "mine", "--by", "me"]
    )
    assert added.exit_code == 0, added.output
    built = CliRunner().invoke(app, ["board", "build", "--results", results, "--out", site])
    assert built.exit_code == 0, built.output
    assert "1 runs, 1 tasks" in built.output
    assert (tmp_path / "site" / "index.html").is_file()
