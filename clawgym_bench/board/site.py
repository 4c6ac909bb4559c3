"""Builds the static site of a folder of results: `build_site(results, out)`.

    index.html  run.html  task.html  trial.html  reported.html
    assets/     style and scripts (clawgym_bench/board/pages)
    data/       board.js, and what single pages load: runs/, tasks/, trials/
    downloads/  badges/  feed.xml  viewer/

Data are scripts because a page opened from the disk may load nothing else. Results are read, not
logs; only a run that has no `trials.zip` of its own log gets one made.
"""

import base64
import json
import shutil
import struct
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from clawgym_bench.board.add import LOG, NAME, RESULT, tasks_of
from clawgym_bench.board.downloads import feed, write_badges, write_downloads
from clawgym_bench.board.result import RunResult, read_result
from clawgym_bench.board.standings import Entry, run_page, standings
from clawgym_bench.board.trials import SAFE_NAME, TRIALS, belongs, file_name, write_trials
from clawgym_bench.errors import ClawGymError, InputError
from clawgym_bench.taskset import TaskSet, task_set

PAGES = ("index", "run", "task", "trial", "reported")
FOLDER = Path(__file__).with_name("pages")
ASSETS = ("board.css", "core.js", "table.js", "plots.js", "index.js", "pages.js")
MARKER = ".clawgym-board"
PACKED_BYTES = 2 * 2**20
"""Of the compressed trials of one task; more is not shown."""
UNPACKED_BYTES = 16 * 2**20
LOCAL_HEADER = struct.Struct("<4s5H3I2H")


@dataclass
class Built:
    """What was built. `notes` are for whoever built it."""

    runs: int
    tasks: int
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


def build_site(results: Path, out: Path, *, url: str = "", viewer: bool = False) -> Built:
    """Builds the site in `out`, anew. Raises `InputError` when there are no results, when one
    cannot be read, or when `out` holds something else than such a site."""
    started = time.monotonic()
    entries = read_entries(results)
    _clear(out)
    shipped = _shipped()
    board = standings(entries, shipped.content_hash if shipped else "")
    built = Built(len(entries), len(board["sets"][0]["tasks"]))
    for run in board["runs"]:
        run["detail"] = 0
    rows = {run["id"]: run for run in board["runs"]}
    for entry in entries:
        page = json.dumps(run_page(entry))
        _write(out / "data" / "runs" / f"{entry.folder}.js", f"BOARD_RUN({page});\n")
        try:
            made = _write_trials(results / entry.folder, out / "data" / "trials" / entry.folder)
            rows[entry.folder]["detail"] = int(made)
        except (ClawGymError, OSError, zipfile.BadZipFile) as error:
            built.notes.append(f"{entry.folder}: its trials cannot be shown: {error}")
    _write_tasks(board, shipped, out / "data" / "tasks")
    if viewer:
        built.notes += _write_viewer(results, entries, out, rows)
    downloads = write_downloads(board, entries, out / "downloads")
    write_badges(board, out / "badges")
    _write(out / "feed.xml", feed(board, entries, url))
    board["downloads"] = downloads
    board["url"] = url.rstrip("/")
    text = json.dumps(board, separators=(",", ":"))
    _write(out / "data" / "board.js", f"const BOARD = {text};\n")
    _write_pages(out)
    built.seconds = time.monotonic() - started
    return built


def read_entries(results: Path) -> list[Entry]:
    """The runs of a folder of results, by their folders' names."""
    if not results.is_dir():
        raise InputError(f"{results}: no such folder; `clawgym-bench board add LOG` makes it")
    entries = []
    for folder in sorted(results.iterdir()):
        if folder.is_symlink() or not (folder / RESULT).is_file():
            continue
        if not NAME.fullmatch(folder.name):
            raise InputError(f"{folder}: its name may have letters, digits, and _ . - only")
        result = read_result(folder / RESULT)
        if odd := _beyond(result):
            raise InputError(f"{folder / RESULT}: {odd}")
        entries.append(Entry(folder.name, result))
    if not entries:
        raise InputError(f"{results}: holds no result; `clawgym-bench board add LOG` adds one")
    return entries


def _beyond(result: RunResult) -> str:
    """Names a figure that cannot be."""
    for task in result.tasks:
        for trial in task.trials:
            for name in ("score", "checks", "rubric"):
                value = getattr(trial, name)
                if value is not None and not 0 <= value <= 1:
                    where = f"{task.id}, epoch {trial.epoch}"
                    return f"{where}: {name} is {value}; it can be from 0 to 1"
    return ""


def _shipped() -> TaskSet | None:
    try:
        return task_set(None)
    except ClawGymError:
        return None


def _clear(out: Path) -> None:
    if out.exists() and any(out.iterdir()) and not (out / MARKER).is_file():
        raise InputError(f"{out} holds something else; name an empty or new folder for the site")
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    (out / MARKER).write_text("made by `clawgym-bench board build`\n", encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _write_trials(run: Path, out: Path) -> bool:
    """One script per task with its packed trials; False when the run keeps neither."""
    packed, log = run / TRIALS, run / LOG
    if packed.is_file() and (not log.is_file() or belongs(packed, log)):
        _unpack_trials(packed, out)
        return True
    if not log.is_file():
        return False
    with tempfile.TemporaryDirectory() as place:
        fresh = Path(place, TRIALS)
        write_trials(log, fresh, tasks_of(log, None))
        _unpack_trials(fresh, out)
    return True


def _unpack_trials(packed: Path, out: Path) -> None:
    """The members stay compressed: the page inflates what it shows, within a bound."""
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(packed) as archive, packed.open("rb") as file:
        for info in archive.infolist():
            name = info.filename.removesuffix(".json")
            if not SAFE_NAME.fullmatch(name) or info.compress_type != zipfile.ZIP_DEFLATED:
                raise InputError(f"{packed}: {info.filename!r} does not belong there")
            if info.compress_size > PACKED_BYTES or info.file_size > UNPACKED_BYTES:
                raise InputError(f"{packed}: {info.filename} is too large to be shown")
            file.seek(info.header_offset)
            header = LOCAL_HEADER.unpack(file.read(LOCAL_HEADER.size))
            file.seek(header[-2] + header[-1], 1)
            body = base64.b64encode(file.read(info.compress_size)).decode()
            (out / f"{name}.js").write_text(f'BOARD_TRIALS("{body}");\n', encoding="ascii")


def _write_tasks(board: Mapping[str, Any], shipped: TaskSet | None, out: Path) -> None:
    """The requests of tasks that are at hand in the very content that was run."""
    for group in board["sets"]:
        for item in group["tasks"]:
            task = shipped.get(item["id"]) if shipped is not None else None
            item["request"] = int(task is not None and task.content_hash == item["hash"])
            if task is None or not item["request"]:
                continue
            data = {
                "requests": [task.request(n) for n in range(1, len(task.sessions) + 1)],
                "checks": [{"id": check.id, "kind": check.kind} for check in task.checks],
                "rubric": [{"id": one.id, "criterion": one.criterion} for one in task.rubric],
                "limits": task.limits.model_dump(),
                "persona": task.persona.role if task.persona else "",
            }
            path = out / f"{file_name(item['id'])}.js"
            if not path.exists():
                _write(path, f"BOARD_TASK({json.dumps(data)});\n")


def _write_viewer(
    results: Path, entries: Sequence[Entry], out: Path, rows: Mapping[str, dict[str, Any]]
) -> list[str]:
    """Inspect's own viewer with all logs, one file per run, in `viewer/`."""
    from inspect_ai.log import bundle_log_dir

    with tempfile.TemporaryDirectory() as place:
        for entry in entries:
            log = results / entry.folder / LOG
            if log.is_file() and not log.is_symlink():
                shutil.copyfile(log, Path(place, f"{entry.folder}.eval"))
                rows[entry.folder]["viewer"] = 1
        if not any(Path(place).iterdir()):
            return ["no log is kept beside the results: no viewer was built"]
        bundle_log_dir(place, str(out / "viewer"), overwrite=True)
    return ["the viewer in viewer/ needs a web server with range requests; all else does not"]


def _write_pages(out: Path) -> None:
    environment = Environment(
        loader=PackageLoader("clawgym_bench.board", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in PAGES:
        _write(out / f"{name}.html", environment.get_template(f"{name}.html.j2").render(page=name))
    (out / "assets").mkdir(exist_ok=True)
    for name in ASSETS:
        shutil.copyfile(FOLDER / name, out / "assets" / name)
