"""`read` and `ls`."""

from clawgym_bench.sandbox.protocol import Sandbox
from clawgym_bench.tools.limits import ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.paths import Paths
from clawgym_bench.tools.textfile import TextFile, parse_text


async def read_text(
    paths: Paths, limits: ToolLimits, path: str, offset: int | None, limit: int | None
) -> str:
    """Lines of a file and, where it matters, one note in brackets at the end."""
    _, data = await paths.read(path)
    if not data:
        return f"[{path} is empty]"
    file = parse_text(data, path)
    text, replaced = file.shown
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    first = max(offset or 1, 1)
    if first > len(lines):
        raise ToolMisuse(
            f"offset {first} is beyond the end: {path} has {len(lines)} "
            f"line{'s' if len(lines) != 1 else ''}."
        )
    kept, wide = _within(lines[first - 1 :], limit, limits)
    last = first + len(kept) - 1
    notes = []
    if last < len(lines):
        notes.append(f"lines {first}-{last} of {len(lines)}; continue with offset={last + 1}")
    notes += [
        f"line {first + index} is cut: it has {length:,} characters; "
        "see the rest with exec and cut -c or python3"
        for index, length in wide.items()
    ]
    notes += _oddities(file, replaced)
    return "\n".join([*kept, *(f"[{note}]" for note in notes)])


def _within(
    lines: list[str], limit: int | None, limits: ToolLimits
) -> tuple[list[str], dict[int, int]]:
    """The first lines that fit, and by index the true length of those that were cut."""
    room = limits.read_kilobytes * 1_024
    kept: list[str] = []
    wide: dict[int, int] = {}
    for line in lines[: min(limit or limits.read_lines, limits.read_lines)]:
        shown = line[: limits.line_characters]
        room -= len(shown.encode("utf-8")) + 1
        if room < 0 and kept:
            break
        if len(shown) < len(line):
            wide[len(kept)] = len(line)
        kept.append(shown)
    return kept, wide


def _oddities(file: TextFile, replaced: int) -> list[str]:
    notes = []
    if replaced:
        notes.append(
            f"{replaced} byte{'s are' if replaced != 1 else ' is'} not UTF-8 and shown as \ufffd"
        )
    if file.encoding != "utf-8":
        notes.append(f"encoded as {file.encoding.upper()}")
    if file.line_end == "\r\n":
        notes.append("lines end with CRLF; edit keeps that")
    return notes


async def list_directory(
    sandbox: Sandbox, paths: Paths, limits: ToolLimits, path: str | None, limit: int | None
) -> str:
    """One name per line; directories end with "/", links show where they lead."""
    shown = path or "."
    absolute = await paths.resolve(shown)
    (found,) = await paths.stat([absolute])
    if found is None:
        raise ToolMisuse(await paths.missing(shown))
    if not found.is_directory:
        raise ToolMisuse(f"{shown} is not a directory but a {found.kind}; use read.")
    script = r"""cd -- "$1" && find . -mindepth 1 -maxdepth 1 -printf '%y %Y %f\t%l\0'"""
    result = await sandbox.exec(["bash", "-c", script, "ls", absolute], timeout=30)
    if not result.ok:
        reason = result.stderr.decode("utf-8", "replace").strip().rpartition(": ")[2]
        raise ToolMisuse(f"{shown} cannot be listed: {reason}.")
    entries = sorted(
        filter(None, result.stdout.decode("utf-8", "replace").split("\x00")), key=_name
    )
    most = limit or limits.list_entries
    listed = [_entry(item) for item in entries[:most]]
    if len(entries) > most:
        listed.append(f"[{most} of {len(entries)} entries; use limit, or exec with find]")
    elif result.stdout_cut:
        listed.append("[some entries are left out: the list is too long; use exec with find]")
    return "\n".join(listed) or f"[{shown} is empty]"


def _name(entry: str) -> tuple[str, str]:
    name = entry[4:].partition("\t")[0]
    return name.casefold(), name


def _entry(entry: str) -> str:
    kind, target_kind, rest = entry[0], entry[2], entry[4:]
    name, _, target = rest.rpartition("\t")
    name = "".join(item if item.isprintable() else repr(item)[1:-1] for item in name)
    if kind == "l":
        return f"{name} -> {target}{'/' if target_kind == 'd' else ''}"
    return f"{name}/" if kind == "d" else name
