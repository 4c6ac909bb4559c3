"""Who made a sandbox, for which sample and until when: what tells strays from the living.

A run is one process, named by the machine's boot, the process namespace, the process id and the
time that process started: a number that the kernel has given away again names nobody. Containers
carry all of it as labels; cgroups the run in their name; what bwrap makes has a record on disk.
"""

import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

PREFIX = "clawgym"
FOLDER = Path("/tmp", f"{PREFIX}-{os.getuid()}")
"""Records, one folder per run. Fixed, so that `clean` finds what a run with other settings left."""


@dataclass(frozen=True)
class Label:
    """`created` and `deadline` are seconds since the epoch."""

    run: str
    sample: str
    created: float
    deadline: float

    @classmethod
    def new(cls, sample: str, lifetime: float) -> "Label":
        now = time.time()
        return cls(this_run(), sample, now, now + lifetime)

    def as_docker(self) -> dict[str, str]:
        fields = {name: f"{value}" for name, value in asdict(self).items()}
        return {PREFIX: "1", **{f"{PREFIX}.{name}": value for name, value in fields.items()}}

    @classmethod
    def of(cls, found: Mapping[str, object], prefix: str = "") -> "Label":
        """From labels or a record; what is missing or damaged names no run and no deadline."""

        def number(name: str) -> float:
            try:
                return float(str(found.get(prefix + name)))
            except ValueError:
                return 0.0

        def text(name: str) -> str:
            return str(found.get(prefix + name, ""))

        return cls(text("run"), text("sample"), number("created"), number("deadline"))

    def why_stray(self, older_than: float | None = None) -> str:
        """Why this may be removed; "" when it may not."""
        now = time.time()
        if self.run and is_living(self.run) is False:
            return "its run is over"
        if self.deadline and now > self.deadline:
            return "its deadline has passed"
        if older_than is not None and now - self.created > older_than:
            return "it is older than asked for"
        return ""


def this_run() -> str:
    return _run_of(os.getpid())


@cache
def _run_of(pid: int) -> str:
    return f"{_machine()}.{pid}.{start_time(pid)}"


def is_living(run: str) -> bool | None:
    """Whether the process behind a run still runs; None when that cannot be seen from here."""
    boot, namespace, pid, started = [*run.split("."), "", "", ""][:4]
    if f"{boot}.{namespace}" != _machine() or not pid.isdigit():
        return None
    return start_time(int(pid)) == started


@cache
def _machine() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    return f"{boot}.{os.stat('/proc/self/ns/pid').st_ino}"


def start_time(pid: int) -> str:
    """When a process started, in the kernel's ticks since boot; "" when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


@dataclass(frozen=True)
class Record:
    """A bwrap sandbox on disk: its label, its supervisor and its cgroups."""

    label: Label
    supervisor: int = 0
    started: str = ""
    cgroups: Sequence[str] = ()
    path: Path | None = field(default=None, compare=False)

    def written(self) -> "Record":
        """Puts the record down. Without a place for it there is none: the sandbox works as well."""
        folder = FOLDER / self.label.run
        target = folder / f"{secrets.token_hex(8)}.json"
        content = {**asdict(self.label), "supervisor": self.supervisor, "started": self.started}
        text = json.dumps({**content, "cgroups": list(self.cgroups)})
        for _ in range(3):
            try:
                FOLDER.mkdir(mode=0o700, exist_ok=True)
                if not _is_ours():
                    break
                folder.mkdir(mode=0o700, exist_ok=True)
                target.write_text(text)
            except FileNotFoundError:  # somebody tidied up the folder meanwhile
                continue
            except OSError:
                break
            return Record(self.label, self.supervisor, self.started, self.cgroups, target)
        return self

    def remove(self) -> None:
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
            with contextlib.suppress(OSError):  # not empty, as a rule
                self.path.parent.rmdir()


def records() -> Iterator[Record]:
    """All records of this user, damaged ones as far as they can be read."""
    if not _is_ours():
        return
    for path in sorted(FOLDER.glob("*/*.json")):
        found: dict[str, object] = {}
        with contextlib.suppress(OSError, ValueError):
            read = json.loads(path.read_text())
            found = read if isinstance(read, dict) else {}
        label = Label.of({"run": path.parent.name, **found})
        supervisor, cgroups = found.get("supervisor"), found.get("cgroups")
        yield Record(
            label,
            supervisor if isinstance(supervisor, int) else 0,
            str(found.get("started", "")),
            [str(name) for name in cgroups] if isinstance(cgroups, list) else [],
            path,
        )


def folders_of_runs() -> list[Path]:
    return list(FOLDER.glob("*")) if _is_ours() else []


def _is_ours() -> bool:
    """/tmp is everybody's: a folder that another user has put there is not read."""
    try:
        status = FOLDER.lstat()
    except OSError:
        return False
    return status.st_uid == os.getuid() and FOLDER.is_dir() and not FOLDER.is_symlink()
