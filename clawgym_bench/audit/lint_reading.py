"""What the rules of *lint* read: the requests, the inputs and the kept files of a task, as text.

Made once per task and lazily, because most rules end in the request and never ask for the inputs.
"""

import gzip
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property

from clawgym_bench.checks.base import CheckBody
from clawgym_bench.checks.command import STDERR, STDOUT, CommandCheck
from clawgym_bench.checks.reward import RewardCheck
from clawgym_bench.checks.table_files import heading
from clawgym_bench.checks.wording import normal
from clawgym_bench.task import Task

READ_BYTES = 2 * 2**20
"""Of one file. What stands further below in a larger one is not found."""
PARTS = 200
_TAG = re.compile(r"<[^<>]{0,500}>")


@dataclass(frozen=True)
class Looked:
    """A body that looks at something, by the id of its check. `case` is that of a command."""

    check: str
    body: CheckBody
    case: int | None = None

    @property
    def path(self) -> str | None:
        """The file in the workspace that it reads, if it reads one."""
        path = getattr(self.body, "path", None)
        return path if isinstance(path, str) and path not in (STDOUT, STDERR) else None


@dataclass
class Reading:
    """A task as the rules see it."""

    task: Task

    @cached_property
    def imported(self) -> bool:
        return self.task.provenance.kind == "imported"

    @cached_property
    def requests(self) -> list[str]:
        """What the agent is told, by session."""
        return [self.task.request(number) for number in range(1, len(self.task.sessions) + 1)]

    @cached_property
    def request(self) -> str:
        return "\n\n".join(self.requests)

    @cached_property
    def asked(self) -> str:
        """All requests, lower case, white space made one."""
        return folded(self.request)

    @cached_property
    def headings(self) -> str:
        """All requests in the form in which headings and columns are compared."""
        return heading(self.request)

    @cached_property
    def normal(self) -> str:
        return normal(self.request)

    @cached_property
    def inputs(self) -> dict[str, str]:
        """The text of every input, as far as there is some; pages of the web too."""
        pages = {f"web/{path}": file.content for path, file in self.task.tree("web").items()}
        given = {**self.task.inputs, **pages}
        return {path: readable(path, content) for path, content in given.items()}

    @cached_property
    def given(self) -> str:
        """Names and text of all inputs, folded like `asked`."""
        return folded("\n".join(f"{path}\n{text}" for path, text in self.inputs.items()))

    @cached_property
    def spoken(self) -> str:
        """Text of all inputs without their names, lower case."""
        return "\n".join(self.inputs.values()).casefold()

    @cached_property
    def kept(self) -> str:
        """Names and text of what command checks bring along, folded like `asked`."""
        brought = {p: c for p, c in self.task.hidden.items() if p.startswith("hidden/")}
        return folded("\n".join(f"{p}\n{readable(p, c)}" for p, c in brought.items()))

    @cached_property
    def bodies(self) -> list[Looked]:
        """Every body of every check, those that judge the cases of a command too."""
        found: list[Looked] = []
        for check in self.task.checks:
            if isinstance(check.body, CommandCheck):
                found += [
                    Looked(check.id, inner.body, number)
                    for number, case in enumerate(check.body.cases)
                    for inner in case.expect
                ]
            elif not isinstance(check.body, RewardCheck):
                found.append(Looked(check.id, check.body))
        return found

    @cached_property
    def delivered(self) -> set[str]:
        """Paths that the contract or a check knows as the agent's work."""
        contract = {output.path for output in self.task.outputs}
        checked = {one.path for one in self.bodies if one.path and one.case is None}
        read = {path for criterion in self.task.rubric for path in criterion.files}
        return contract | checked | read


def words(text: str) -> list[str]:
    """A list that is easier to read as a line."""
    return text.split()


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def holds(text: str, phrase: str) -> bool:
    """Whether the folded `text` has the phrase as whole words."""
    wanted = folded(phrase)
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        before = text[start - 1 : start] if _wordy(wanted[0]) else ""
        after = text[end : end + 1] if _wordy(wanted[-1]) else ""
        if not _wordy(before) and not _wordy(after):
            return True
        start = text.find(wanted, start + 1)
    return False


def _wordy(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_")


def readable(path: str, content: bytes) -> str:
    """The words in a file of any kind: for a look-up, not for display."""
    if path.endswith(".gz"):
        content = _inflated(content)
    if content.startswith(b"PK\x03\x04"):
        return _parts(content)
    head = content[:READ_BYTES]
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError:
        return head.decode("latin-1")


def _inflated(content: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(content)) as stream:
            return stream.read(READ_BYTES)
    except (OSError, EOFError, zlib.error):
        return content


def _parts(content: bytes) -> str:
    """Names and text of an archive's or an office file's parts."""
    text: list[str] = []
    size = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist()[:PARTS]:
                text.append(info.filename)
                if size > READ_BYTES:
                    continue
                with archive.open(info) as part:
                    raw = part.read(READ_BYTES - size + 1)
                size += len(raw)
                text.append(_TAG.sub(" ", raw.decode("utf-8", errors="replace")))
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, zlib.error):
        return ""
    except NotImplementedError:
        return ""
    return "\n".join(text)
