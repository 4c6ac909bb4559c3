"""The patch text of `apply_patch`, parsed into operations."""

from dataclasses import dataclass, field
from typing import Literal

from clawgym_bench.tools.misuse import ToolMisuse

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, DELETE, UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
MOVE, END_OF_FILE = "*** Move to: ", "*** End of File"
SECTIONS = (ADD, DELETE, UPDATE)


@dataclass
class Hunk:
    """Lines of a change, each with its sign " ", "-" or "+".

    `anchors` are lines of the file above the change, outermost first. `at_end` says that the
    change reaches to the end of the file. `number` is the line of the patch where it starts.
    """

    number: int
    anchors: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    at_end: bool = False

    @property
    def old(self) -> list[str]:
        return [text for sign, text in self.lines if sign != "+"]


@dataclass
class Operation:
    """One section of a patch."""

    kind: Literal["add", "delete", "update"]
    path: str
    content: list[str] = field(default_factory=list)
    hunks: list[Hunk] = field(default_factory=list)
    move_to: str = ""


def parse_patch(source: str) -> list[Operation]:
    """Raises `ToolMisuse` with the number of the line that cannot be understood."""
    lines = _body(source)
    operations: list[Operation] = []
    for number, line in lines:
        if line.startswith(SECTIONS):
            operations.append(_section(number, line))
        elif not operations:
            if line.strip():
                raise _bad(number, line, f'expected one of "{ADD}", "{DELETE}", "{UPDATE}"')
        else:
            _continue(operations[-1], number, line)
    if not operations:
        raise ToolMisuse("The patch has no sections. Nothing was changed.")
    for operation in operations:
        _complete(operation)
    return operations


def _body(source: str) -> list[tuple[int, str]]:
    """Numbered lines between the markers. Code fences and text around the patch are dropped."""
    lines = [(index + 1, line.rstrip("\r")) for index, line in enumerate(source.split("\n"))]
    starts = [index for index, (_, line) in enumerate(lines) if line.strip() == BEGIN]
    ends = [index for index, (_, line) in enumerate(lines) if line.strip() == END]
    if not starts or not ends or ends[-1] < starts[0]:
        missing = f'"{BEGIN}" and end with "{END}", each on a line of its own'
        raise ToolMisuse(f"The patch must begin with {missing}. Nothing was changed.")
    return lines[starts[0] + 1 : ends[-1]]


def _section(number: int, line: str) -> Operation:
    header = next(header for header in SECTIONS if line.startswith(header))
    path = line.removeprefix(header).strip()
    if not path:
        raise _bad(number, line, "the path is missing")
    if header == ADD:
        return Operation("add", path)
    return Operation("delete" if header == DELETE else "update", path)


def _continue(operation: Operation, number: int, line: str) -> None:
    """Takes one more line into the section."""
    if operation.kind == "add":
        if line.startswith("+"):
            operation.content.append(line[1:])
        elif line.strip():
            raise _bad(number, line, 'every line of an added file starts with "+"')
    elif operation.kind == "delete":
        if line.strip():
            raise _bad(number, line, "a deleted file has no lines")
    elif line.startswith(MOVE):
        operation.move_to = line.removeprefix(MOVE).strip()
    elif line.startswith("@@"):
        anchor = line[2:].strip().removesuffix("@@").strip()
        last = operation.hunks[-1] if operation.hunks else None
        if last is None or last.lines:
            last = Hunk(number)
            operation.hunks.append(last)
        if anchor and not _is_line_range(anchor):
            last.anchors.append(anchor)
    else:
        _take_change(operation, number, line)


def _take_change(operation: Operation, number: int, line: str) -> None:
    if not operation.hunks:
        if not line.strip():
            return
        operation.hunks.append(Hunk(number))
    hunk = operation.hunks[-1]
    if line == END_OF_FILE:
        hunk.at_end = True
    elif line[:1] in (" ", "-", "+"):
        hunk.lines.append((line[0], line[1:]))
    elif not line:
        hunk.lines.append((" ", ""))
    else:
        raise _bad(number, line, 'a line of a change starts with " ", "-" or "+"')


def _is_line_range(anchor: str) -> bool:
    """A unified diff's "-1,4 +1,5": numbers of lines, which this format does not use."""
    return anchor.startswith("-") and "+" in anchor and not anchor.strip("-+0123456789, ")


def _complete(operation: Operation) -> None:
    if operation.kind != "update":
        return
    for hunk in operation.hunks:
        # Blank lines between two sections belong to neither.
        while len(hunk.lines) > 1 and hunk.lines[-1] == (" ", ""):
            hunk.lines.pop()
    operation.hunks = [hunk for hunk in operation.hunks if any(hunk.lines)]
    if not operation.move_to and not any(
        sign != " " for hunk in operation.hunks for sign, _ in hunk.lines
    ):
        raise ToolMisuse(
            f'The section for {operation.path} has no lines with "-" or "+". Nothing was changed.'
        )


def _bad(number: int, line: str, reason: str) -> ToolMisuse:
    shown = line if len(line) <= 100 else f"{line[:100]}…"
    return ToolMisuse(
        f"Line {number} of the patch: {reason}; found {shown!r}. Nothing was changed."
    )
