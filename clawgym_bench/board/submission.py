"""A submission: logs with the files that agents left, and what is claimed of them, in one archive.

    submission.json       who, when, which runs, with the SHA-256 of every log
    RUN/log.eval          the log: transcripts, and of every workspace the changed files
    RUN/result.json       the row of the board that it claims (clawgym_bench.board.result)

The same folder RUN is what goes to `results/`. Secrets block the packing.
"""

import hashlib
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from clawgym_bench.board.add import add_run, write_result
from clawgym_bench.board.leaks import Leak, find_leaks, own_home, own_secrets, texts, unique
from clawgym_bench.board.log_archive import (
    LIMITS,
    STAMP,
    LogLimits,
    read_bounded,
    trimmed,
    write_anew,
)
from clawgym_bench.board.result import RunResult, result_of_log
from clawgym_bench.board.trials import TRIALS
from clawgym_bench.checks.base import StrictModel
from clawgym_bench.errors import InputError
from clawgym_bench.evidence import unpacked_files
from clawgym_bench.scorer import EVIDENCE_KEY
from clawgym_bench.taskset import TaskSet, task_set

MANIFEST, LOG, RESULT = "submission.json", "log.eval", "result.json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
MOST_RUNS = 50
RESULT_BYTES = 32 * 2**20

Model = TypeVar("Model", bound=StrictModel)


class PackedRun(StrictModel):
    """One run of a submission."""

    name: str
    log_sha256: str


class Manifest(StrictModel):
    """`submission.json`."""

    schema_version: Literal[1] = 1
    created: str
    by: str = ""
    runs: list[PackedRun] = Field(min_length=1, max_length=MOST_RUNS)
    accepted: list[str] = []
    """Home folders and e-mail addresses that whoever packed it looked at and let pass."""


@dataclass(frozen=True)
class Packing:
    """What packing led to: an archive, or the leaks that block it."""

    manifest: Manifest | None
    leaks: Sequence[Leak] = ()


@dataclass(frozen=True)
class Run:
    """One run to be verified. `claimed` is None where only a log was given."""

    name: str
    log: Path
    claimed: RunResult | None = None
    trials: Path | None = None
    """What the pages of its trials show, where it lies in a folder of results."""
    accepted: Sequence[str] = ()


def pack_submission(
    logs: Sequence[str | Path],
    out: str | Path,
    *,
    by: str = "",
    recipe: str = "",
    open_weights: bool | None = None,
    accept: Sequence[str] = (),
    tasks: str | None = None,
) -> Packing:
    """Packs logs into the archive `out`, unless something leaks.

    `accept`: home folders and addresses that may stay; keys are never accepted. `tasks`: the task
    set, when it is not the one the logs name. Raises `InputError`.
    """
    target = Path(out)
    if target.exists():
        raise InputError(f"{target} exists; choose another name or remove it first")
    if not logs or len(logs) > MOST_RUNS:
        raise InputError(f"{len(logs)} logs were given; a submission has 1 to {MOST_RUNS}")
    leaks: list[Leak] = []
    runs: list[PackedRun] = []
    own = own_secrets()
    with tempfile.TemporaryDirectory() as folder:
        for log in logs:
            place = Path(folder, f"{len(runs)}")
            place.mkdir()
            packed, found = _pack_run(Path(log), place, tasks, own, by, recipe, open_weights)
            if any(run.name == packed.name for run in runs):
                raise InputError(f"{log}: its run {packed.name} is there twice")
            runs.append(packed)
            leaks += [leak for leak in found if leak.secret or leak.text not in accept]
        if leaks:
            return Packing(None, unique(leaks))
        manifest = Manifest(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            by=by,
            runs=runs,
            accepted=sorted(accept),
        )
        members = {MANIFEST: manifest.model_dump_json(indent=2).encode()}
        with zipfile.ZipFile(target, "x") as archive:
            for number, run in enumerate(runs):
                for name in (LOG, RESULT):
                    members[f"{run.name}/{name}"] = Path(folder, str(number), name).read_bytes()
            for name, body in members.items():
                info = zipfile.ZipInfo(name, STAMP)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                archive.writestr(info, body)
    return Packing(manifest)


def _pack_run(
    log: Path,
    folder: Path,
    tasks: str | None,
    own: Collection[str],
    by: str,
    recipe: str,
    open_weights: bool | None,
) -> tuple[PackedRun, list[Leak]]:
    target = folder / LOG
    found: list[Leak] = []
    lacking: list[str] = []
    known = _known(log, tasks)
    home = own_home()

    def change(name: str, data: Any) -> Any:
        kept = trimmed(name, data)
        if kept is not None:
            found.extend(leaks_of_member(name, kept, known, own, home))
            if name.startswith("samples/"):
                lacking.extend(_without_files(kept))
        return kept

    write_anew(log, target, change)
    if lacking:
        raise InputError(
            f"{log}: {len(lacking)} samples do not hold all files their agent left "
            f"({', '.join(lacking[:3])}), so nobody can grade them again"
        )
    result = result_of_log(str(target)).model_copy(
        update={"by": by, "recipe": recipe, "open_weights": open_weights, "verified": False}
    )
    (folder / RESULT).write_text(result.model_dump_json(indent=2) + "\n", encoding="utf-8")
    found.extend(find_leaks(texts({"by": by, "recipe": recipe}, "metadata"), own=own, home=home))
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    return PackedRun(name=result.run, log_sha256=digest), found


def _known(log: Path, tasks: str | None) -> TaskSet:
    from inspect_ai.log import read_eval_log

    if tasks is None:
        try:
            source = read_eval_log(str(log), header_only=True).eval.task_args.get("path")
        except Exception as error:
            raise InputError(f"{log}: cannot be read as an Inspect log: {error}") from error
        tasks = str(source) if source else None
    return task_set(tasks)


def _without_files(sample: Mapping[str, Any]) -> Iterator[str]:
    """Names a scored sample whose record of files is not there or not whole."""
    record = (sample.get("store") or {}).get(EVIDENCE_KEY)
    if sample.get("scores") and (not isinstance(record, dict) or record.get("left_out")):
        yield f"{sample.get('id')}, epoch {sample.get('epoch')}"


def leaks_of_member(
    name: str, data: Any, tasks: TaskSet, own: Collection[str] = (), home: str = ""
) -> list[Leak]:
    """Leaks in one member of a log, in the stored files of a sample too."""
    if name == "summaries.json" and isinstance(data, list):
        found: list[Leak] = []
        for number, entry in enumerate(data):
            known = public_text(tasks, str(entry.get("id"))) if isinstance(entry, dict) else ""
            found += find_leaks(texts(entry, f"summaries[{number}]"), known, own, home)
        return found
    if not name.startswith("samples/"):
        return find_leaks(texts(data, name.removesuffix(".json")), own=own, home=home)
    where = f"{data.get('id')}, epoch {data.get('epoch')}"
    known = public_text(tasks, str(data.get("id")))
    parts = [*texts(data, where), *_workspace_texts(data, where)]
    return find_leaks(parts, known, own, home)


def _workspace_texts(sample: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    record = (sample.get("store") or {}).get(EVIDENCE_KEY)
    packed = record.get("files") if isinstance(record, dict) else None
    if not isinstance(packed, str):
        return
    attachments = sample.get("attachments") or {}
    packed = attachments.get(packed.removeprefix("attachment://"), packed)
    try:
        files = unpacked_files(str(packed))
    except (TypeError, ValueError, zlib.error, RecursionError) as error:
        raise InputError(f"{where}: the stored files cannot be read: {error}") from error
    for path, body in files.items():
        yield path, f"{where}, names of files"
        yield body.decode("utf-8", errors="ignore"), f"{where}, file {path}"


def public_text(tasks: TaskSet, task_id: str) -> str:
    """All text of a task, its requests and files; "" for an unknown one."""
    task = tasks.get(task_id)
    if task is None:
        return ""
    requests = [task.request(number) for number in range(1, len(task.sessions) + 1)]
    files = [file.content.decode("utf-8", errors="ignore") for file in task.files.values()]
    return "\n".join([task.model_dump_json(exclude={"files"}), *requests, *files])


@contextmanager
def open_submission(path: str | Path, limits: LogLimits = LIMITS) -> Iterator[list[Run]]:
    """The runs at `path`: a packed submission, a folder of `results/`, a folder of such folders,
    or a log. Nothing is unpacked under a name that the archive chose. Raises `InputError`."""
    given = Path(path)
    if given.is_symlink():
        raise InputError(f"{path}: is a link; give the file or folder itself")
    if given.is_dir():
        yield _runs_of_folder(given)
    elif given.suffix == ".eval":
        yield [Run(given.stem, given)]
    elif given.is_file():
        with tempfile.TemporaryDirectory() as folder:
            yield _unpack(given, Path(folder), limits)
    else:
        raise InputError(f"{path}: no such submission; give a packed one, a folder, or a log")


def _runs_of_folder(folder: Path) -> list[Run]:
    if logs := sorted(folder.glob("*.eval")):
        if len(logs) > 1:
            raise InputError(f"{folder}: holds {len(logs)} logs; a run has one, {LOG}")
        trials = folder / TRIALS
        if trials.exists() and _regular(trials).stat().st_size > LIMITS.archive:
            raise InputError(f"{trials}: is larger than {LIMITS.archive:,} bytes")
        pages = trials if trials.exists() else None
        return [Run(folder.name, _regular(logs[0]), _claimed(folder), pages)]
    runs = []
    for child in sorted(folder.iterdir()):
        if child.is_symlink():
            raise InputError(f"{child}: is a link; put the folder itself there")
        if child.is_dir():
            runs += _runs_of_folder(child) if any(child.glob("*.eval")) else []
    if not runs:
        raise InputError(f"{folder}: holds no log (.eval), nor do its folders")
    return runs


def _regular(path: Path) -> Path:
    if not stat.S_ISREG(path.lstat().st_mode):
        raise InputError(f"{path}: is not a regular file")
    return path


def _claimed(folder: Path) -> RunResult:
    path = folder / RESULT
    if not path.exists():
        raise InputError(f"{folder}: has no {RESULT}; `clawgym-bench board add` makes it")
    if _regular(path).stat().st_size > RESULT_BYTES:
        raise InputError(f"{path}: is larger than {RESULT_BYTES:,} bytes")
    return _parsed(RunResult, path.read_bytes(), str(path))


def _parsed(kind: type[Model], raw: bytes, where: str) -> Model:
    try:
        return kind.model_validate_json(raw)
    except (ValidationError, RecursionError) as error:
        raise InputError(f"{where}: not of this version: {error}") from error


def _unpack(pack: Path, folder: Path, limits: LogLimits) -> list[Run]:
    if pack.stat().st_size > limits.archive:
        raise InputError(f"{pack}: is larger than {limits.archive:,} bytes")
    try:
        with zipfile.ZipFile(pack) as archive:
            return _unpack_runs(archive, pack, folder, limits)
    except InputError:
        raise
    except Exception as error:  # zipfile raises many kinds for damaged archives
        raise InputError(f"{pack}: is not a submission: {error}") from error


def _unpack_runs(
    archive: zipfile.ZipFile, pack: Path, folder: Path, limits: LogLimits
) -> list[Run]:
    members = archive.infolist()
    names = [info.filename for info in members]
    if len(names) > 2 * MOST_RUNS + 1 or len(set(names)) != len(names):
        raise InputError(f"{pack}: has too many members, or one twice")
    for info in members:
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or info.flag_bits & 1:
            raise InputError(f"{pack}: {info.filename!r} is a link, encrypted, or no file")
    if MANIFEST not in names:
        raise InputError(f"{pack}: has no {MANIFEST}; `clawgym-bench board submit` makes one")
    manifest = _parsed(
        Manifest, read_bounded(archive.open(MANIFEST), RESULT_BYTES, pack, MANIFEST), MANIFEST
    )
    expected = {MANIFEST}
    for run in manifest.runs:
        if not NAME.fullmatch(run.name):
            raise InputError(f"{pack}: {run.name!r} is no name of a run")
        expected |= {f"{run.name}/{LOG}", f"{run.name}/{RESULT}"}
    if expected != set(names):
        odd = sorted(expected ^ set(names))[:3]
        raise InputError(f"{pack}: its members are not those that {MANIFEST} names: {odd}")
    runs = []
    left = limits.archive
    for number, run in enumerate(manifest.runs):
        target = folder / f"{number}.eval"
        body = read_bounded(archive.open(f"{run.name}/{LOG}"), left, pack, f"{run.name}/{LOG}")
        left -= len(body)
        if hashlib.sha256(body).hexdigest() != run.log_sha256:
            raise InputError(f"{pack}: {run.name}/{LOG} is not the log that was packed (SHA-256)")
        target.write_bytes(body)
        raw = read_bounded(
            archive.open(f"{run.name}/{RESULT}"), RESULT_BYTES, pack, f"{run.name}/{RESULT}"
        )
        claimed = _parsed(RunResult, raw, f"{run.name}/{RESULT}")
        runs.append(Run(run.name, target, claimed, accepted=tuple(manifest.accepted)))
    return runs


def unpack_to(pack: str | Path, results: Path, tasks: str | None = None) -> list[Path]:
    """Adds the runs of a packed submission to `results`, made anew from their logs; refuses to
    overwrite."""
    with open_submission(pack) as runs:
        claimed = [(run.log, run.claimed) for run in runs if run.claimed is not None]
        if len(claimed) != len(runs):
            raise InputError(f"{pack}: is not a packed submission")
        return [
            add_run(
                log,
                results,
                by=row.by,
                recipe=row.recipe,
                open_weights=row.open_weights,
                tasks=tasks,
            )
            for log, row in claimed
        ]


def mark_verified(path: str | Path, outcome: Mapping[str, bool]) -> None:
    """Writes into the `result.json` of folders whether their run was verified."""
    given = Path(path)
    if not given.is_dir():
        raise InputError(f"{path}: only folders of results can be marked")
    for result in sorted([*given.glob(RESULT), *given.glob(f"*/{RESULT}")]):
        claimed = _claimed(result.parent)
        if claimed.run in outcome:
            marked = claimed.model_copy(update={"verified": outcome[claimed.run]})
            write_result(marked, result.parent)
