"""`apply_patch`: works out every file in memory, and writes only when all of it fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from clawgym_bench.sandbox.protocol import File, Sandbox
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.patch_format import Hunk, Operation, parse_patch
from clawgym_bench.tools.paths import Paths
from clawgym_bench.tools.textfile import parse_text
from clawgym_bench.tools.writing import encode_content, put

UNCHANGED = "Nothing was changed."


@dataclass
class _Plan:
    """Files as they will be: content by absolute path, None for deleted."""

    files: dict[str, File | None]
    summary: list[str]


async def apply_patch(sandbox: Sandbox, paths: Paths, source: str) -> str:
    plan = _Plan({}, [])
    for operation in parse_patch(source):
        await _plan(paths, operation, plan)
    written = {path: file for path, file in plan.files.items() if file is not None}
    deleted = [path for path, file in plan.files.items() if file is None]
    if written:
        await put(sandbox, written, paths)
    if deleted:
        result = await sandbox.exec(["rm", "-f", "--", *deleted], timeout=30)
        if not result.ok:
            reason = result.stderr.decode("utf-8", "replace").strip()
            raise ToolMisuse(f"The rest of the patch was applied, but deleting failed: {reason}")
    return "\n".join(["Patch applied:", *plan.summary])


async def _plan(paths: Paths, operation: Operation, plan: _Plan) -> None:
    absolute = await paths.resolve(operation.path)
    if operation.kind == "add":
        await _require_absent(paths, operation.path, absolute, plan)
        content = "".join(f"{line}\n" for line in operation.content)
        plan.files[absolute] = File(encode_content(content, "the patch"))
        plan.summary.append(f"A {operation.path}")
        return
    file = await _current(paths, operation.path, absolute, plan)
    if operation.kind == "delete":
        plan.files[absolute] = None
        plan.summary.append(f"D {operation.path}")
        return
    changed = File(_updated(file.content, operation), file.mode)
    if operation.move_to:
        target = await paths.resolve(operation.move_to)
        if target != absolute:
            await _require_absent(paths, operation.move_to, target, plan)
            plan.files[absolute] = None
        plan.files[target] = changed
        plan.summary.append(f"R {operation.path} -> {operation.move_to}")
    else:
        plan.files[absolute] = changed
        plan.summary.append(f"M {operation.path}")


async def _require_absent(paths: Paths, path: str, absolute: str, plan: _Plan) -> None:
    if absolute in plan.files:
        taken = plan.files[absolute] is not None
    else:
        (found,) = await paths.stat([absolute])
        taken = found is not None
    if taken:
        raise ToolMisuse(
            f"{path} exists already. Update it, or delete it earlier in the same patch. {UNCHANGED}"
        )


async def _current(paths: Paths, path: str, absolute: str, plan: _Plan) -> File:
    """The file as the earlier sections of the patch leave it."""
    if absolute in plan.files:
        planned = plan.files[absolute]
        if planned is None:
            raise ToolMisuse(f"{path} is deleted earlier in the same patch. {UNCHANGED}")
        return planned
    try:
        _, content = await paths.read(path)
    except ToolMisuse as misuse:
        raise ToolMisuse(f"{misuse} {UNCHANGED}") from None
    (found,) = await paths.stat([absolute])
    return File(content, found.mode if found else None)


def _updated(data: bytes, operation: Operation) -> bytes:
    if not operation.hunks:
        return data
    file = parse_text(data, operation.path)
    lines = _split(file.text)
    position = 0
    for hunk in operation.hunks:
        position = _apply(lines, hunk, position, operation.path, file.line_end)
    return file.encode("".join(lines))


def _split(text: str) -> list[str]:
    """Lines with their ends; only LF ends a line, so that odd separators survive."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _apply(lines: list[str], hunk: Hunk, position: int, path: str, line_end: str) -> int:
    """Changes `lines` in place and returns where the next hunk is looked for."""
    for anchor in hunk.anchors:
        position = _find(lines, [anchor], position, path, hunk, "the line after @@") + 1
    old = hunk.old
    if old:
        start = _find(lines, old, position, path, hunk, "the lines of the hunk")
    else:
        start = position if hunk.anchors and not hunk.at_end else len(lines)
    new: list[str] = []
    taken = start
    for sign, text in hunk.lines:
        if sign == "+":
            encode_content(text, "the patch")
            new.append(text + line_end)
        else:
            if sign == " ":
                new.append(lines[taken])
            taken += 1
    lines[start:taken] = new
    for index in range(len(lines) - 1):
        if not lines[index].endswith("\n"):
            lines[index] += line_end
    return start + len(new)


def _find(
    lines: Sequence[str], wanted: Sequence[str], position: int, path: str, hunk: Hunk, what: str
) -> int:
    """Index where `wanted` stands at or after `position`: exactly, else but for white space."""
    whole = what != "the line after @@"
    starts = range(position, len(lines) - len(wanted) + 1)
    if hunk.at_end and whole:
        starts = range(max(len(lines) - len(wanted), position), len(lines) - len(wanted) + 1)
    for form in (_exact, str.rstrip, str.strip):
        target = [form(line) for line in wanted]
        for start in starts:
            if [form(line) for line in lines[start : start + len(wanted)]] == target:
                return start
    missing = "\n".join(wanted[:5]) + ("\n…" if len(wanted) > 5 else "")
    after = f" after line {position}" if position else ""
    end = " at the end of the file" if hunk.at_end and whole else ""
    raise ToolMisuse(
        f"{path}: {what} at line {hunk.number} of the patch cannot be found{after}{end}:\n"
        f"{missing}\nRead the file again and copy its lines exactly. {UNCHANGED}"
    )


def _exact(line: str) -> str:
    return line.rstrip("\r\n")
