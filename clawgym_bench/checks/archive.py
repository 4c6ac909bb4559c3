"""Archives (zip, tar and compressed tar): their listing and what their members say.

Everything is read in memory; no member is ever written to disk. Bombs are refused by the number
of members, the size declared and the size reached. `office_parts` guards docx and xlsx likewise.
"""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, file_content
from clawgym_bench.checks.limits import ARCHIVE_MEMBERS, EXPANDED_BYTES, Refused
from clawgym_bench.checks.pairing import finding
from clawgym_bench.checks.text import TextAssertions, decode_text
from clawgym_bench.errors import TaskFault

OFFICE_BYTES = 48 * 2**20
RATIO = 200
RATIO_FROM = 16 * 2**20
PAX_BYTES = 64 * 2**10
METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2}
BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    MemoryError,
)


@dataclass(frozen=True)
class Member:
    """One entry: its name with `./` removed, what it is, and how to read it when it is a file."""

    name: str
    kind: Literal["file", "directory", "link", "other"]
    read: Callable[[], bytes]

    @property
    def unsafe(self) -> bool:
        """Whether unpacking it could write outside the folder it is unpacked in."""
        parts = self.name.replace("\\", "/").split("/")
        return self.name.startswith(("/", "\\")) or ".." in parts or self.name[1:2] == ":"


def open_zip(content: bytes, *, expanded: int = EXPANDED_BYTES) -> zipfile.ZipFile:
    """The zip, once its directory is known to be harmless. Raises `Refused`."""
    if content.count(b"PK\x01\x02") > 4 * ARCHIVE_MEMBERS:
        raise Refused(f"it has more than {ARCHIVE_MEMBERS} members")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        members = archive.infolist()
    except BROKEN as error:
        raise Refused(f"it is not a readable zip ({error})") from None
    if len(members) > ARCHIVE_MEMBERS:
        raise Refused(f"it has more than {ARCHIVE_MEMBERS} members")
    total = sum(member.file_size for member in members)
    if total > expanded or (total > RATIO_FROM and total > RATIO * len(content)):
        raise Refused(f"it expands to {total:,} bytes, like a zip bomb")
    for member in members:
        if member.flag_bits & 0x1:
            raise Refused("it is encrypted")
        if member.compress_type not in METHODS:
            raise Refused(f"it uses a compression that is not read here ({member.compress_type})")
    return archive


def office_parts(content: bytes, kind: str, main: str) -> Mapping[str, bytes]:
    """The XML parts of an Office file, or `Refused`. `main` is the part it must have."""
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise Refused(f"it is encrypted or of the old binary format, not {kind}")
    if not content.startswith(b"PK"):
        raise Refused(f"it is not a {kind} file")
    archive = open_zip(content, expanded=OFFICE_BYTES)
    parts: dict[str, bytes] = {}
    for member in archive.infolist():
        if member.filename.lower().endswith((".xml", ".rels", ".vml")):
            try:
                part = archive.read(member)
            except BROKEN as error:
                raise Refused(f"its part {member.filename[:60]} is broken ({error})") from None
            plain = part.replace(b"\0", b"")
            if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
                raise Refused("it declares XML entities")
            parts[member.filename] = part
    if main not in parts:
        raise Refused(f"it is not a {kind} file: it has no {main}")
    return parts


def read_members(content: bytes, kind: Literal["zip", "tar"]) -> list[Member]:
    """All entries of an archive, in its order. Raises `Refused`."""
    if kind == "zip":
        if content.startswith(b"\x1f\x8b") or content[257:262] == b"ustar":
            raise Refused("it is a tar archive, not a zip")
        archive = open_zip(content)
        return [_zip_member(archive, info) for info in archive.infolist()]
    if content.startswith(b"PK\x03\x04"):
        raise Refused("it is a zip, not a tar archive")
    plain = _decompress(content)
    _check_tar_headers(plain)
    try:
        tar = tarfile.TarFile(fileobj=io.BytesIO(plain))
        infos = []
        for info in tar:
            infos.append(info)
            if len(infos) > ARCHIVE_MEMBERS:
                raise Refused(f"it has more than {ARCHIVE_MEMBERS} members")
    except BROKEN as error:
        raise Refused(f"it is not a readable tar archive ({error})") from None
    if sum(info.size for info in infos) > EXPANDED_BYTES:
        raise Refused("it expands to more than is read here, like a bomb")
    return [_tar_member(tar, info) for info in infos]


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    mode = info.external_attr >> 16
    kind: Literal["file", "directory", "link", "other"] = "file"
    if info.is_dir():
        kind = "directory"
    elif stat.S_ISLNK(mode):
        kind = "link"
    return Member(_clean(info.filename), kind, lambda: archive.read(info))


def _tar_member(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    def read() -> bytes:
        source = tar.extractfile(info)
        return source.read() if source is not None else b""

    kind: Literal["file", "directory", "link", "other"] = "other"
    if info.isreg():
        kind = "file"
    elif info.isdir():
        kind = "directory"
    elif info.issym() or info.islnk():
        kind = "link"
    return Member(_clean(info.name), kind, read)


def _clean(name: str) -> str:
    while name.startswith("./"):
        name = name[2:]
    return name.rstrip("/")


def _decompress(content: bytes) -> bytes:
    bound = EXPANDED_BYTES + 1
    try:
        if content.startswith(b"\x1f\x8b"):
            plain = gzip.GzipFile(fileobj=io.BytesIO(content)).read(bound)
        elif content.startswith(b"BZh"):
            plain = bz2.BZ2File(io.BytesIO(content)).read(bound)
        elif content.startswith(b"\xfd7zXZ"):
            plain = lzma.LZMADecompressor(memlimit=EXPANDED_BYTES).decompress(content, bound)
        elif content.startswith(b"\x28\xb5\x2f\xfd"):
            raise Refused("it is compressed with zstd, which is not read here")
        else:
            plain = content
    except BROKEN as error:
        raise Refused(f"its compression is broken ({error})") from None
    if len(plain) >= bound:
        raise Refused("it expands to more than is read here, like a bomb")
    return plain


def _check_tar_headers(plain: bytes) -> None:
    """Refuses extended headers that are so long that parsing them could take very long."""
    offset = 0
    while offset + 512 <= len(plain) and plain[offset] != 0:
        try:
            size = tarfile.nti(plain[offset + 124 : offset + 136])  # type: ignore[attr-defined]
        except tarfile.TarError:
            return
        if plain[offset + 156 : offset + 157] in b"xgXLK" and not 0 <= size <= PAX_BYTES:
            raise Refused("it has an extended header that is too long")
        offset += 512 + max(0, -(-size // 512)) * 512


class ArchiveCheck(CheckBody):
    """A zip or tar archive. A listing alone is existence: `copies` or `text` must affirm.

    `exactly` lists all files (directories aside), `members` some; a name that ends in `/` is a
    directory. `lacks` holds glob patterns. `copies` maps a member to the input whose bytes it
    must have, `text` a member to what its text says.
    """

    kind: ClassVar[str] = "archive"

    path: str
    format: Literal["zip", "tar"] | None = None
    exactly: list[str] | None = None
    members: list[str] = Field(default_factory=list)
    lacks: list[str] = Field(default_factory=list)
    copies: dict[str, str] = Field(default_factory=dict)
    text: dict[str, TextAssertions] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if self.exactly is None and not (self.members or self.lacks or self.copies or self.text):
            raise ValueError("nothing is asserted: give exactly, members, lacks, copies or text")
        named = [*self.members, *self.copies, *self.text]
        if self.exactly is not None:
            listed = {_clean(name) for name in self.exactly}
            outside = [n for n in named if not n.endswith("/") and _clean(n) not in listed]
            if outside:
                raise ValueError(f"{outside[0]!r} is asked for but is not in `exactly`")
        for name in [*named, *(self.exactly or [])]:
            if any(fnmatchcase(_clean(name), pattern) for pattern in self.lacks):
                raise ValueError(f"{name!r} is both asked for and forbidden by `lacks`")
        self._format()
        return self

    def _format(self) -> Literal["zip", "tar"]:
        if self.format is not None:
            return self.format
        lower = self.path.lower()
        if lower.endswith(".zip"):
            return "zip"
        if lower.endswith(
            (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")
        ):
            return "tar"
        raise ValueError(f"the format of {self.path!r} is not clear: give format: zip or tar")

    def affirms(self) -> bool:
        return bool(self.copies) or any(text.affirms() for text in self.text.values())

    def hidden_files(self) -> frozenset[str]:
        return frozenset().union(*(text.hidden_files() for text in self.text.values()))

    def literals(self) -> Sequence[str]:
        names = [*(self.exactly or []), *self.members, *self.copies, *self.text]
        inner = [word for text in self.text.values() for word in text.literals()]
        return list(dict.fromkeys([*names, *inner]))

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        try:
            members = read_members(content, self._format())
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        unsafe = [member.name for member in members if member.unsafe]
        if unsafe:
            reason = f"{self.path} has a member that escapes its folder: {unsafe[0][:80]!r}"
            return [finding(False, reason, required=True)]
        return [
            finding(True, f"{self.path} is a readable {self._format()}", required=True),
            *self._listing(members),
            *self._contents(members, evidence),
        ]

    def _listing(self, members: Sequence[Member]) -> list[Finding]:
        """Names never earn; a wrong one costs."""
        files = [member.name for member in members if member.kind == "file"]
        every = {member.name for member in members}
        folders = {member.name for member in members if member.kind == "directory"}
        findings = []
        for name in self.members:
            if name.endswith("/"):
                inside = any(other.startswith(f"{_clean(name)}/") for other in every)
                known = _clean(name) in folders or inside
            else:
                known = name in every
            reason = f"{self.path} holds {name}" if known else f"{self.path} lacks {name}"
            findings.append(finding(known, reason, required=known))
        if self.exactly is not None:
            wanted = {_clean(name) for name in self.exactly}
            twice = [name for name, count in Counter(files).items() if count > 1]
            others = {m.name for m in members if m.kind in ("link", "other")} - wanted
            for label, names in (
                ("lacks", sorted(wanted - set(files))),
                ("holds also", sorted((set(files) | others) - wanted)),
                ("holds twice", sorted(twice)),
            ):
                if names:
                    flooded = label == "holds also" and len(names) > len(wanted)
                    reason = f"{self.path} {label} {_some(names)}"
                    findings.append(finding(False, reason, required=flooded))
        for pattern in self.lacks:
            hits = sorted(name for name in every if fnmatchcase(name, pattern))
            said = f"holds {_some(hits)}" if hits else "holds none"
            findings.append(
                finding(not hits, f"{self.path}: no {pattern} wanted, it {said}", not hits)
            )
        return findings

    def _contents(self, members: Sequence[Member], evidence: Evidence) -> list[Finding]:
        by_name = {member.name: member for member in members}
        findings: list[Finding] = []
        for name in dict.fromkeys([*self.copies, *self.text]):
            member = by_name.get(_clean(name))
            where = f"{self.path}/{name}"
            if member is None or member.kind != "file":
                what = "is not there" if member is None else f"is a {member.kind}, not a file"
                findings.append(finding(False, f"{where} {what}"))
                continue
            try:
                content = member.read()
            except BROKEN as error:
                findings.append(finding(False, f"{where} cannot be read ({error})"))
                continue
            if name in self.copies:
                source = self.copies[name]
                if source not in evidence.inputs:
                    raise TaskFault(f"{source} is not an input that could be copied")
                same = content == evidence.inputs[source]
                said = "is a true copy of" if same else "differs from"
                findings.append(finding(same, f"{where} {said} {source}"))
            if name in self.text:
                findings += self._text(content, name, where, evidence)
        return findings

    def _text(self, content: bytes, name: str, where: str, evidence: Evidence) -> list[Finding]:
        try:
            text = decode_text(content)
        except Refused as refused:
            return [finding(False, f"{where}: {refused}")]
        return self.text[name].findings(text, where, evidence)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown
