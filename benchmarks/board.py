"""How long the board takes to build and to open: 200 runs x 200 tasks x 4 epochs, made up.

    python -m benchmarks.board                  # builds in a temporary folder, opens in Chromium
    python -m benchmarks.board --keep DIR       # and keeps results and site in DIR

Every model here is called made-up; nothing of it belongs into results/. Writes
benchmarks/results/board.json.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import tempfile
import time
import zipfile
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from clawgym_bench.board.add import RESULT, write_result
from clawgym_bench.board.result import JUNK, RunResult, TaskResult, Trial
from clawgym_bench.board.site import build_site
from clawgym_bench.board.trials import STAMP, TRIALS

CATEGORIES = (
    "analysis-reasoning", "content-domain", "planning-knowledge",
    "productivity-collaboration", "software-development", "systems-automation",
)  # fmt: skip
OPERATIONS = (
    "read-files", "filter-sort-rank", "compute-aggregates", "write-structured", "write-prose",
    "join-sources", "run-code", "fix-code", "move-files", "remember",
)  # fmt: skip
SECONDS_TO_BUILD, SECONDS_TO_OPEN = 60, 2
CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def make_up(
    results: Path, runs: int, tasks: int, epochs: int, *, seed: int = 7, trials: bool = True
) -> None:
    """Writes made-up runs: models of rising skill, oracle, junk, and some of an older task set."""
    random = np.random.default_rng(seed)
    plans = [_plan(number, random) for number in range(tasks)]
    for number in range(runs):
        kind = {0: "oracle", 1: "noop", 2: "echo_inputs"}.get(number, "claw")
        legacy = runs > 10 and number % 10 == 9
        folder = results / f"made-up-{number:03d}"
        folder.mkdir(parents=True)
        result = _run(number, runs, kind, legacy, plans, epochs, random)
        write_result(result, folder)
        if trials:
            _write_trials(result, folder / TRIALS)


def _plan(number: int, random: np.random.Generator) -> dict[str, Any]:
    difficulty = ("easy", "medium", "hard")[number // 6 % 3]
    return {
        "id": f"made-up-task-{number:03d}",
        "title": f"Made-up task {number}",
        "hash": f"{number:064x}",
        "family": f"family-{number // 2}",
        "category": CATEGORIES[number % len(CATEGORIES)],
        "hybrid": number % 5 == 0,
        "sessions": 2 if number % 7 == 0 else 1,
        "difficulty": difficulty,
        "operations": sorted(random.choice(OPERATIONS, 3, replace=False).tolist()),
        "ease": {"easy": 1.0, "medium": 0.0, "hard": -1.0}[difficulty] + random.normal(0, 0.8),
    }


def _run(
    number: int,
    runs: int,
    agent: str,
    legacy: bool,
    plans: list[dict[str, Any]],
    epochs: int,
    random: np.random.Generator,
) -> RunResult:
    skill = -1.8 + 3.6 * number / max(1, runs - 1)
    priced, works = number % 3 != 0, agent == "claw"
    found = []
    for plan in plans:
        fields = {name: value for name, value in plan.items() if name != "ease"}
        own = random.normal(0, 0.5)
        trials = []
        for epoch in range(1, epochs + 1):
            score = _score(agent, skill + plan["ease"] + own + random.normal(0, 0.5))
            lost = works and random.random() < 0.005
            tokens = int(random.lognormal(10 + skill / 4, 0.5)) if works else 0
            trials.append(
                Trial(
                    epoch=epoch,
                    score=None if lost else score,
                    checks=None if lost else score,
                    success=None if lost else score == 1.0,
                    reason="the sandbox was lost (made up)" if lost else "",
                    seconds=round(float(random.lognormal(3, 0.6)), 3),
                    input_tokens=tokens,
                    output_tokens=tokens // 9,
                    cached_tokens=tokens // 2,
                    cost=round(tokens * (1.6 + skill) * 1e-6, 6) if priced and works else None,
                )
            )
        found.append(TaskResult(**fields, trials=trials))
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=30 * number)
    return RunResult(
        run=f"made-up-{number:03d}",
        created=start.isoformat(),
        model=f"made-up/model-{number:03d}" if works else "none/none",
        agent=agent,
        agent_version="1",
        task="clawgym_bench",
        task_set="made up",
        task_set_hash=("a" if legacy else "b") * 64,
        task_set_version="0.1+older" if legacy else "0.2+made-up",
        epochs=epochs,
        sandbox="docker",
        seconds=float(random.lognormal(8, 0.4)),
        spend="none" if not works else "priced" if priced else "unpriced",
        open_weights=[True, False, None][number % 3],
        verified=number % 4 == 1,
        by="nobody: made up",
        tasks=found,
    )


def _score(agent: str, ability: float) -> float:
    if agent == "oracle":
        return 1.0
    if agent in JUNK:
        return 0.0
    # Ten checks of equal weight, as many passed as the ability suggests.
    return round(round(10 / (1 + float(np.exp(-1.6 * ability)))) / 10, 2)


def _write_trials(result: RunResult, target: Path) -> None:
    with zipfile.ZipFile(target, "w") as out:
        for task in result.tasks:
            info = zipfile.ZipInfo(f"{task.id}.json", STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(info, json.dumps(_detail(task)), compresslevel=1)


@cache
def _words(number: int) -> list[str]:
    known = ["ledger", "total", "river", "note", "plan", "amount", "week", "member", "list"]
    return [str(word) for word in np.random.default_rng(number).choice(known, 4_000)]


def _detail(task: TaskResult) -> dict[str, Any]:
    words = _words(int(task.id[-3:]))
    starts = iter(range(0, len(words), 17))

    def text(length: int) -> str:
        start = next(starts)
        return " ".join(words[start : start + length])

    return {
        "task": task.id,
        "requests": [text(120)],
        "criteria": {"tone": {"text": text(20), "levels": {}}},
        "trials": [
            {
                "epoch": trial.epoch,
                "explanation": "",
                "error": "",
                "limit": "",
                "checks": [
                    {"id": f"check-{n}", "kind": "table", "passed": n < 10 * (trial.score or 0),
                     "score": float(n < 10 * (trial.score or 0)), "weight": 1.0, "gate": False,
                     "findings": [[n < 10 * (trial.score or 0), text(12)]], "more": 0}
                    for n in range(10)
                ],
                "rubric": [{"criterion": "tone", "level": 0.75, "reason": text(20),
                            "quotes": [text(10)]}] if task.hybrid else [],
                "rubric_status": "scored" if task.hybrid else "none",
                "files": {
                    "changes": [
                        {"path": "out/totals.csv", "change": "added", "size": 90,
                         "rows": [["+", "member", "total"], ["+", "Aster", "7"]]},
                        {"path": "notes/todo.md", "change": "changed", "size": 200,
                         "lines": [[" ", text(5)], ["-", text(5)], ["+", text(6)]]},
                        {"path": "old.txt", "change": "removed", "size": 5},
                    ],
                    "refused": {},
                    "note": "",
                },
                "transcript": [
                    {"role": "user", "text": text(120)},
                    *[
                        entry
                        for _ in range(6)
                        for entry in (
                            {"role": "assistant", "text": text(30), "calls": [
                                {"tool": "read", "arguments": {"path": "data/list.csv"}}]},
                            {"role": "tool", "tool": "read", "text": text(80)},
                        )
                    ],
                    {"role": "assistant", "text": text(60)},
                ],
                "messages": 14,
            }
            for trial in task.trials
        ],
    }  # fmt: skip


def opening_seconds(site: Path, repeats: int = 3) -> dict[str, float]:
    """From the start of the navigation until a view is drawn; the slowest of `repeats`."""
    from playwright.sync_api import sync_playwright

    found: dict[str, float] = {}
    addresses = {"table": "index.html"} | {
        name: f"index.html#view={name}"
        for name in ("cost", "categories", "operations", "difficulty", "pairs", "tasks")
    }
    addresses["run"] = "run.html#run=made-up-042"
    addresses["trial"] = "trial.html#run=made-up-042&task=made-up-task-007"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, address in addresses.items():
            for _ in range(repeats):
                page = browser.new_page()
                started = time.monotonic()
                page.goto(f"{site.resolve().as_uri()}/{address}")
                page.locator("body[data-ready=yes]").wait_for()
                page.evaluate("new Promise(d => requestAnimationFrame(() => setTimeout(d)))")
                found[name] = round(max(found.get(name, 0), time.monotonic() - started), 2)
                page.close()
        browser.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = given.keep or Path(temporary)
        make_up(place / "results", given.runs, given.tasks, given.epochs)
        built = build_site(place / "results", place / "site")
        opened = opening_seconds(place / "site")
        files = [path for path in (place / "site").rglob("*") if path.is_file()]
        figures = {
            "runs": built.runs,
            "tasks": built.tasks,
            "epochs": given.epochs,
            "build_seconds": round(built.seconds, 1),
            "open_seconds": opened,
            "files": len(files),
            "megabytes": round(sum(path.stat().st_size for path in files) / 2**20),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "results_bytes_of_a_run": (place / "results" / "made-up-005" / RESULT).stat().st_size,
            "machine": {"cpus": os.cpu_count(), "python": platform.python_version()},
        }
    print(json.dumps(figures, indent=1))
    out = Path(__file__).parent / "results" / "board.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if built.seconds > SECONDS_TO_BUILD or opened["table"] > SECONDS_TO_OPEN:
        raise SystemExit("slower than the board promises")


if __name__ == "__main__":
    main()
