"""What people take from the board: tables (CSV, JSON, Parquet), badges (SVG), a feed (RSS)."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pandas as pd

from clawgym_bench.board.standings import Entry
from clawgym_bench.board.trials import file_name

FEED_ITEMS = 50
CSV_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""A cell that starts with one of these is run by spreadsheet programs."""


def write_downloads(board: Mapping[str, Any], entries: Sequence[Entry], out: Path) -> list[str]:
    """Writes the tables into `out` and returns their names. Parquet needs pyarrow."""
    out.mkdir(parents=True, exist_ok=True)
    rows = run_table(board)
    rows.map(_harmless).to_csv(out / "runs.csv", index=False)
    (out / "runs.json").write_text(
        json.dumps(json.loads(rows.to_json(orient="records")), indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
    names = ["runs.csv", "runs.json"]
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return names
    rows.to_parquet(out / "runs.parquet", index=False)
    trial_table(entries).to_parquet(out / "trials.parquet", index=False)
    return [*names, "runs.parquet", "trials.parquet"]


def run_table(board: Mapping[str, Any]) -> pd.DataFrame:
    """One row per run: what the main table shows, without per-task scores."""
    rows = []
    for run in board["runs"]:
        task_set = board["sets"][run["set"]]
        score, success = run["score"] or [None] * 3, run["success"] or [None] * 3
        rows.append(
            {
                "run": run["id"],
                "rank": run["rank"],
                "kind": run["kind"],
                "model": run["model"],
                "agent": run["agent"],
                "agent_version": run["agentVersion"],
                "task_set": task_set["version"],
                "task_set_hash": task_set["hash"],
                "current_set": run["set"] == 0,
                "score": score[0],
                "score_lower": score[1],
                "score_upper": score[2],
                "success": success[0],
                "success_lower": success[1],
                "success_upper": success[2],
                "pass_hat_k": run["passes"][-1] if run["passes"] else None,
                "k": len(run["passes"]),
                "epochs": run["epochs"],
                "unscored": run["unscored"],
                "tokens_in": run["tokensIn"],
                "tokens_out": run["tokensOut"],
                "tokens_cached": run["tokensCached"],
                "spend": run["spend"],
                "cost_usd": run["cost"],
                "minutes": run["minutes"],
                "open_weights": run["open"],
                "verified": run["verified"],
                "date": run["date"],
            }
        )
    return pd.DataFrame(rows).astype({"rank": "Int64", "open_weights": "boolean"}, errors="ignore")


def trial_table(entries: Sequence[Entry]) -> pd.DataFrame:
    """One row per trial: run x task x epoch."""
    columns: dict[str, list[Any]] = {
        name: []
        for name in (
            "run", "model", "agent", "task", "category", "family", "epoch", "score", "checks",
            "rubric", "success", "seconds", "input_tokens", "output_tokens", "cached_tokens",
            "cost", "reason",
        )
    }  # fmt: skip
    for entry in entries:
        run = entry.result
        for task in run.tasks:
            for trial in task.trials:
                columns["run"].append(entry.folder)
                columns["model"].append(run.model)
                columns["agent"].append(run.agent)
                columns["task"].append(task.id)
                columns["category"].append(task.category)
                columns["family"].append(task.family)
                for name in list(columns)[6:]:
                    columns[name].append(getattr(trial, name))
    return pd.DataFrame(columns).astype({"success": "boolean"})


def _harmless(value: object) -> object:
    if isinstance(value, str) and value.startswith(CSV_FORMULAS):
        return "'" + value
    return value


def badge(run: Mapping[str, Any]) -> str:
    """An SVG with the score of a run and its interval."""
    label = "ClawGym-Bench"
    score = run["score"]
    if score is None:
        value = "no score"
    elif score[1] is None:
        value = f"{score[0]:.2f}"
    else:
        value = f"{score[0]:.2f} [{score[1]:.2f}, {score[2]:.2f}]"
    if run["verified"]:
        value += " ✓"
    left, right = 7 * len(label) + 12, 7 * len(value) + 14
    text = escape(f"{label}: {value}", {'"': "&quot;"})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{text}"><title>{text}</title>'
        f'<rect width="{left}" height="20" fill="#3c4450"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="#0b5cad"/>'
        '<g fill="#fff" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11" '
        f'text-anchor="middle"><text x="{left / 2}" y="14">{escape(label)}</text>'
        f'<text x="{left + right / 2}" y="14">{escape(value)}</text></g></svg>\n'
    )


def write_badges(board: Mapping[str, Any], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for run in board["runs"]:
        (out / f"{file_name(run['id'])}.svg").write_text(badge(run), encoding="utf-8")


def feed(board: Mapping[str, Any], entries: Sequence[Entry], url: str) -> str:
    """RSS 2.0 of the newest rows. `url`: where the site is; links are relative without it."""
    base = url.rstrip("/") + "/" if url else ""
    rows = {run["id"]: run for run in board["runs"]}
    newest = sorted(entries, key=lambda entry: entry.result.created, reverse=True)[:FEED_ITEMS]
    items = []
    for entry in newest:
        row = rows[entry.folder]
        score = row["score"]
        shown = "no score" if score is None else f"{score[0]:.3f}"
        title = f"{row['model']} with {row['agent']}: {shown}"
        link = f"{base}run.html#run={entry.folder}"
        items.append(
            f"<item><title>{_xml(title)}</title><link>{_xml(link)}</link>"
            f'<guid isPermaLink="false">{_xml(entry.result.run)}</guid>'
            f"<pubDate>{_date(entry.result.created)}</pubDate></item>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>ClawGym-Bench: new rows</title><link>{_xml(base or 'index.html')}</link>"
        "<description>Runs added to the board</description>\n"
        + "\n".join(items)
        + "\n</channel></rss>\n"
    )


def _xml(text: str) -> str:
    """Escaped, and without characters that XML cannot hold."""
    return escape("".join(char for char in text if char.isprintable()))


def _date(created: str) -> str:
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return ""
    return format_datetime(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
