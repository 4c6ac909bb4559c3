"""From Inspect logs to results and to the pages of a trial."""

import zipfile
from pathlib import Path

import pytest

from clawgym_bench.board.add import add_run
from clawgym_bench.board.result import read_result, result_of_log
from clawgym_bench.board.site import build_site
from clawgym_bench.board.trials import TRIALS, belongs, tells_the_truth
from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import clawgym_bench
from clawgym_bench.taskset import task_set
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


def test_forged_trials_are_told_from_those_of_the_log(run_eval: RunEval, tmp_path: Path) -> None:
    log = run_eval(clawgym_bench(agent="stub", sandbox="bwrap", ids="systems-log-triage"))
    folder = add_run(log.location, tmp_path)
    packed, kept = folder / TRIALS, folder / "log.eval"
    assert tells_the_truth(packed, kept, task_set(None))
    with zipfile.ZipFile(packed) as archive:
        comment = archive.comment
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        out.comment = comment
        for name, body in members.items():
            out.writestr(name, body.replace(b'"passed": false', b'"passed": true '))
    assert belongs(packed, kept)
    assert not tells_the_truth(packed, kept, task_set(None))
