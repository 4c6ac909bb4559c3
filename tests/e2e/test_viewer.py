"""What a person sees in Inspect's viewer, in a real headless Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgym_bench.evaluation import clawgym_bench
from tests.e2e.conftest import RunEval

CHROMIUM = shutil.which("chromium")
REQUIRED = os.environ.get("CLAWGYM_REQUIRE_BROWSER") == "1"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.bwrap,
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and not REQUIRED, reason="Debian's chromium is not installed"
    ),
]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[str]:
    """The address of a viewer on the logs of this test."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "logs").mkdir(exist_ok=True)
    server = subprocess.Popen(
        [str(Path(sys.executable).parent / "inspect"), "view", "--log-dir", str(tmp_path / "logs"),
         "--port", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(150):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def test_a_person_can_see_why_a_sample_lost_points(
    run_eval: RunEval, viewer: str, tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    log = run_eval(clawgym_bench(agent="stub", sandbox="bwrap", subset="smoke"))
    sample = (log.samples or [])[0]
    file = Path(log.location).name
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{viewer}/#/logs/{file}/samples/sample/{sample.id}/1/scoring")
        page.get_by_text("Explanation", exact=False).first.wait_for(timeout=20_000)
        text = page.inner_text("body")
        browser.close()
    assert "✗" in text
    assert errors == []
    failed = [
        check for check in (sample.scores or {})["hybrid"].metadata["checks"]  # type: ignore[index]
        if not check["passed"]
    ]  # fmt: skip
    assert failed
    for check in failed:
        assert check["id"] in text
        reason = next(finding["reason"] for finding in check["findings"] if not finding["ok"])
        assert " ".join(reason.split())[:60] in " ".join(text.split())
