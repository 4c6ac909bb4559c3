"""Archives as lists of members, and back: one member spoilt as a file of its own, or misplaced."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from clawgym_bench.audit.mutations import (
    DROPPED,
    FIELD,
    RENAMED,
    SWAPPED,
    Maker,
    Mutant,
    Mutations,
    Rules,
    format_of,
    shown,
)
from clawgym_bench.checks.archive import BROKEN, read_members
from clawgym_bench.checks.limits import Refused

MEMBERS = 40
"""Spoilt at most, drawn by chance."""
INSIDE = 20
"""Errors inside one member at most."""
BYTES = 2**20
"""Inside a larger member nothing is changed."""
MEMBER = "member changed"
_COMPRESSED: Mapping[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": lambda plain: gzip.compress(plain, mtime=0),
    b"BZh": bz2.compress,
    b"\xfd7zXZ": lzma.compress,
}


@dataclass(frozen=True)
class _Entry:
    """A member; `content` is None for a folder."""

    name: str
    content: bytes | None


Write = Callable[[Sequence[_Entry]], bytes]


def archive_maker(kind: Literal["zip", "tar"], makers: Mapping[str, Maker]) -> Maker:
    """`makers`: what spoils members, by their format. Archives inside archives stay whole."""

    def make(content: bytes, rules: Rules, random: Random) -> Mutations:
        entries = _entries(content, kind)

        def write(changed: Sequence[_Entry]) -> bytes:
            return _zip(changed) if kind == "zip" else _tar(changed, content)

        mutants: list[Mutant] = []
        files = [at for at, entry in enumerate(entries) if entry.content is not None]
        for at in sorted(random.sample(files, min(MEMBERS, len(files)))):
            mutants += _whole(entries, at, write)
            mutants += _inside(entries, at, write, makers, random)
        mutants += _exchanged(entries, files, write)
        return Mutations(mutants, lambda: write(entries))

    return make


def _entries(content: bytes, kind: Literal["zip", "tar"]) -> list[_Entry]:
    entries = []
    for member in read_members(content, kind):
        if member.kind not in ("file", "directory"):
            raise Refused(f"its member {member.name} is a {member.kind}, which is not written anew")
        try:
            entries.append(_Entry(member.name, member.read() if member.kind == "file" else None))
        except BROKEN as error:
            raise Refused(f"its member {member.name} cannot be read ({error})") from None
    return entries


def _with(entries: Sequence[_Entry], at: int, new: _Entry | None) -> list[_Entry]:
    return [*entries[:at], *([new] if new else []), *entries[at + 1 :]]


def _whole(entries: Sequence[_Entry], at: int, write: Write) -> Iterator[Mutant]:
    """The member left out, under another name, empty."""
    entry = entries[at]
    body = entry.content or b""
    folder, slash, name = entry.name.rpartition("/")
    renamed = replace(entry, name=f"{folder}{slash}x-{name}")
    emptied = replace(entry, content=b"")
    ways: list[tuple[str, str, _Entry | None]] = [
        (DROPPED, "(left out)", None),
        (RENAMED, renamed.name, renamed),
    ]
    if body:
        ways.append((MEMBER, "(empty)", emptied))
    for kind, after, new in ways:

        def make(new: _Entry | None = new) -> bytes:
            return write(_with(entries, at, new))

        yield Mutant(kind, "data", shown(entry.name), shown(after), make)


def _inside(
    entries: Sequence[_Entry],
    at: int,
    write: Write,
    makers: Mapping[str, Maker],
    random: Random,
) -> Iterator[Mutant]:
    entry = entries[at]
    maker = makers.get(format_of(entry.name))
    if not entry.content or len(entry.content) > BYTES or maker is None:
        return
    try:
        made = list(maker(entry.content, Rules(), random).mutants)
    except (Refused, ValueError):
        return
    for inner in random.sample(made, min(INSIDE, len(made))):

        def make(inner: Mutant = inner) -> bytes:
            return write(_with(entries, at, replace(entry, content=inner.make())))

        # Members are seldom tables with a contract: what is wrong in all of them is one error.
        kind = MEMBER if inner.kind == FIELD else inner.kind
        before = f"{entry.name}: {inner.before}"
        yield replace(inner, kind=kind, before=before, make=make)


def _exchanged(entries: Sequence[_Entry], files: Sequence[int], write: Write) -> Iterator[Mutant]:
    """The contents of two members under each other's names."""
    for one, two in zip(files[::2], files[1::2], strict=False):
        a, b = entries[one], entries[two]
        if a.content == b.content:
            continue

        def make(one: int = one, two: int = two, a: _Entry = a, b: _Entry = b) -> bytes:
            changed = _with(entries, one, replace(a, content=b.content))
            return write(_with(changed, two, replace(b, content=a.content)))

        yield Mutant(SWAPPED, "data", f"{a.name}; {b.name}", "exchanged", make)


def _zip(entries: Sequence[_Entry]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in entries:
            name = entry.name if entry.content is not None else f"{entry.name}/"
            archive.writestr(zipfile.ZipInfo(name), entry.content or b"", zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _tar(entries: Sequence[_Entry], like: bytes) -> bytes:
    """Compressed as `like` is."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for entry in entries:
            info = tarfile.TarInfo(entry.name)
            if entry.content is None:
                info.type, info.mode = tarfile.DIRTYPE, 0o755
            else:
                info.size = len(entry.content)
            archive.addfile(info, io.BytesIO(entry.content or b""))
    plain = buffer.getvalue()
    for magic, compress in _COMPRESSED.items():
        if like.startswith(magic):
            return compress(plain)
    return plain
