"""`write` and `edit`."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from clawgym_bench.sandbox.protocol import File, Sandbox
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.parameters import Replacement
from clawgym_bench.tools.paths import Paths
from clawgym_bench.tools.textfile import parse_text

QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\xa0": " "})


async def write_text(sandbox: Sandbox, paths: Paths, path: str, content: str) -> str:
    absolute = await paths.resolve(path)
    data = encode_content(content, "content")
    if path.endswith("/"):
        raise ToolMisuse(f"{path} ends with a slash, so it names a directory, not a file.")
    (before,) = await paths.stat([absolute])
    if before and before.is_directory:
        raise ToolMisuse(f"{path} is a directory; name a file in it.")
    await put(sandbox, {absolute: File(data)}, paths)
    lines = content.count("\n") + (not content.endswith("\n") if content else 0)
    was = f", replacing {before.size:,} bytes" if before else ""
    return f"Wrote {paths.shown(absolute)}: {lines} lines, {len(data):,} bytes{was}."


def encode_content(content: str, name: str) -> bytes:
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolMisuse(
            f"{name} holds half of a surrogate pair at character {error.start}, which cannot be "
            "written. For bytes that are not text use exec with python3."
        ) from None


async def put(sandbox: Sandbox, files: Mapping[str, File], paths: Paths) -> None:
    """Writes files; what the sandbox refuses is the model's to solve."""
    try:
        await sandbox.write(files)
    except OSError as error:
        names = ", ".join(paths.shown(path) for path in files)
        raise ToolMisuse(f"{names} cannot be written: {error.strerror or error}.") from None


async def edit_text(sandbox: Sandbox, paths: Paths, path: str, edits: Sequence[Replacement]) -> str:
    absolute, data = await paths.read(path)
    file = parse_text(data, path)
    spans = []
    for index, edit in enumerate(edits):
        name = f"edits[{index}]" if len(edits) > 1 else "edit"
        start, end = _locate(file.text, edit, name, path)
        new = _with_line_ends(edit.newText, file.text, start)
        spans.append((start, end, encode_content(new, f"{name}.newText").decode(), name))
    spans.sort()
    for before, after in pairwise(spans):
        if after[0] < before[1]:
            raise ToolMisuse(
                f"{before[3]} and {after[3]} change the same text in {path}. Make them one "
                "replacement, or call edit twice. Nothing was changed."
            )
    text = file.text
    for start, end, new, _ in reversed(spans):
        text = text[:start] + new + text[end:]
    changed = file.encode(text)
    if changed == data:
        raise ToolMisuse(f"This would not change {path}: newText equals what is there.")
    await put(sandbox, {absolute: File(changed)}, paths)
    at = ", ".join(str(_line_of(file.text, start)) for start, *_ in spans)
    count = f"{len(spans)} replacements at lines" if len(spans) > 1 else "1 replacement at line"
    return f"Edited {paths.shown(absolute)}: {count} {at}."


def _locate(text: str, edit: Replacement, name: str, path: str) -> tuple[int, int]:
    """Where oldText stands. Its line ends match those of the file, whichever they are."""
    if not edit.oldText:
        raise ToolMisuse(f"{name}.oldText is empty. To create or replace a file use write.")
    lines = edit.oldText.replace("\r\n", "\n").split("\n")
    found = [match.span() for match in re.finditer("\r?\n".join(map(re.escape, lines)), text)]
    if len(found) == 1:
        return found[0]
    if found:
        at = [str(_line_of(text, start)) for start, _ in found]
        more = f" and {len(at) - 10} more" if len(at) > 10 else ""
        raise ToolMisuse(
            f"{name}.oldText occurs {len(found)} times in {path}, at lines {', '.join(at[:10])}"
            f"{more}. Add lines around it so that it is found once. Nothing was changed."
        )
    raise ToolMisuse(
        f"{name}.oldText was not found in {path}.{_hint(text, edit)} Nothing was changed."
    )


def _with_line_ends(new: str, text: str, start: int) -> str:
    """newText with the line ends that the file has around the place it goes to."""
    end = text.find("\n", start)
    if end < 0:
        end = text.rfind("\n", 0, start)
    ending = "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
    return new.replace("\r\n", "\n").replace("\n", ending)


def _hint(text: str, edit: Replacement) -> str:
    """Why the text was perhaps not found."""
    old = [_loose(line) for line in edit.oldText.strip("\n").splitlines()]
    lines = [_loose(line) for line in text.splitlines()]
    for index in range(len(lines) - len(old) + 1 if any(old) else 0):
        window = lines[index : index + len(old)]
        if window == old or (len(old) == 1 and old[0] and old[0] in window[0]):
            return (
                f" Line {index + 1} differs only in white space or in quotes and dashes: "
                "copy it exactly as read shows it."
            )
    if edit.newText.strip() and edit.newText in text:
        line = _line_of(text, text.index(edit.newText))
        return f" newText is already there, at line {line}."
    first = next((line for line in old if line), "")
    at = [index + 1 for index, line in enumerate(lines) if first and line == first]
    if at:
        return f" Its first line is at line {at[0]}, but what follows differs: read the file again."
    return " Read the file again and copy the text exactly."


def _loose(line: str) -> str:
    return " ".join(line.translate(QUOTES).split())


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
