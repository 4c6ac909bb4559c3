"""Errors in programs: a constant, a comparison, an operator. They may change nothing that anybody
could notice, so they are reported and not gated."""

import io
import re
import tokenize
from collections.abc import Iterator
from itertools import accumulate
from random import Random

from clawgym_bench.audit.mutations import PROGRAM, Mutant, Mutations, Rules, shown
from clawgym_bench.checks.text import decode_text

_PYTHON = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "+", "//": "*", "and": "or", "or": "and",
    "True": "False", "False": "True", "min": "max", "max": "min",
}  # fmt: skip
_SHELL = {
    "-lt": "-le", "-le": "-lt", "-gt": "-ge", "-ge": "-gt", "-eq": "-ne", "-ne": "-eq",
    "==": "!=", "!=": "==", "&&": "||", "||": "&&",
}  # fmt: skip
_SHELL_WORD = re.compile(
    r"(?<=\s)(?:-lt|-le|-gt|-ge|-eq|-ne|==|!=|&&|\|\|)(?=\s)|(?<![\w.$-])\d{1,15}(?![\w.])"
)
_WHOLE = re.compile(r"\d{1,15}")


def python(content: bytes, rules: Rules, random: Random) -> Mutations:
    lines = decode_text(content).splitlines(keepends=True)
    try:
        words = [
            (token.start[0] - 1, token.start[1], token.string)
            for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline)
            if token.type in (tokenize.NUMBER, tokenize.OP, tokenize.NAME)
        ]
    except (tokenize.TokenError, SyntaxError, RecursionError) as error:
        raise ValueError(f"it is no Python program ({type(error).__name__})") from None
    found = ((row, column, word, _wrong(word, _PYTHON)) for row, column, word in words)
    return Mutations(list(_mutants(lines, found)))


def shell(content: bytes, rules: Rules, random: Random) -> Mutations:
    lines = decode_text(content).splitlines(keepends=True)
    found = (
        (row, match.start(), match.group(), _wrong(match.group(), _SHELL))
        for row, line in enumerate(lines)
        if not line.lstrip().startswith("#")
        for match in _SHELL_WORD.finditer(line)
    )
    return Mutations(list(_mutants(lines, found)))


def _wrong(word: str, others: dict[str, str]) -> str | None:
    return str(int(word) + 1) if _WHOLE.fullmatch(word) else others.get(word)


def _mutants(
    lines: list[str], found: Iterator[tuple[int, int, str, str | None]]
) -> Iterator[Mutant]:
    text = "".join(lines)
    starts = [0, *accumulate(map(len, lines))]
    for row, column, word, other in found:
        if other is None:
            continue
        line = lines[row]
        after = f"{line[:column]}{other}{line[column + len(word) :]}"

        def make(row: int = row, after: str = after) -> bytes:
            return f"{text[: starts[row]]}{after}{text[starts[row + 1] :]}".encode()

        yield Mutant(PROGRAM, "program", shown(line), shown(after), make, row + 1)
