"""`memory_search` and `memory_get`: the agent's notes in MEMORY.md and memory/*.md."""

import asyncio
import posixpath
import re
from dataclasses import dataclass

from clawgym_bench.sandbox.protocol import Sandbox
from clawgym_bench.tools.limits import ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.paths import Paths
from clawgym_bench.tools.ranking import rank

FIND = (
    r"find MEMORY.md memory \( -type f -o -type l \) -name '*.md' -printf '%p\0' 2>/dev/null; true"
)
FILES, FILE_BYTES = 500, 2**20
PASSAGE_CHARACTERS = 700
HEADING = re.compile(r"#{1,6}\s+\S")


@dataclass(frozen=True)
class Passage:
    """A paragraph of a note, with the heading above it. Lines count from 1."""

    path: str
    first: int
    last: int
    text: str
    heading: str = ""


async def search_memory(
    sandbox: Sandbox,
    limits: ToolLimits,
    query: str,
    max_results: int | None,
    min_score: float | None,
) -> str:
    if not query.strip():
        raise ToolMisuse("The query is empty; give the words to look for.")
    notes = await _notes(sandbox)
    if not notes:
        return "There are no notes: neither MEMORY.md nor files under memory/ exist."
    passages = [item for path, text in notes.items() for item in split_passages(path, text)]
    searched = [f"{item.path} {item.heading} {item.text}" for item in passages]
    found = [
        (passages[index], score)
        for index, score in rank(query, searched)
        if score >= (min_score or 0)
    ]
    if not found:
        names = ", ".join(list(notes)[:20])
        return f"Nothing found for {query!r} in {len(notes)} notes ({names})."
    shown = found[: max_results or limits.memory_results]
    blocks = [f"{len(shown)} of {len(found)} passages"]
    for number, (passage, score) in enumerate(shown, 1):
        where = f"{passage.path}:{passage.first}-{passage.last}"
        under = f" under {passage.heading!r}" if passage.heading else ""
        text = passage.text
        if len(text) > PASSAGE_CHARACTERS:
            text = f"{text[:PASSAGE_CHARACTERS]}… [more with memory_get]"
        blocks.append(f"{number}. {where} (score {score:.2f}){under}\n{text}")
    return "\n\n".join(blocks)


async def get_memory(
    paths: Paths, limits: ToolLimits, path: str, first: int | None, count: int | None
) -> str:
    name = posixpath.normpath(paths.shown(await paths.resolve(path)))
    if name != "MEMORY.md" and not (name.startswith("memory/") and name.endswith(".md")):
        raise ToolMisuse(
            f"{path} is no note: this tool gives MEMORY.md and memory/*.md only; use read."
        )
    _, data = await paths.read(name)
    lines = data.decode("utf-8-sig", "replace").splitlines()
    start = max(first or 1, 1)
    if start > max(len(lines), 1):
        raise ToolMisuse(f"from {start} is beyond the end: {name} has {len(lines)} lines.")
    kept = lines[start - 1 :][: min(count or limits.memory_lines, limits.memory_lines)]
    last = start + len(kept) - 1
    text = "\n".join(kept) or f"[{name} is empty]"
    if last < len(lines):
        text += f"\n[lines {start}-{last} of {len(lines)}; continue with from={last + 1}]"
    return text


async def _notes(sandbox: Sandbox) -> dict[str, str]:
    """Notes by path, sorted: MEMORY.md first, then the newest days."""
    result = await sandbox.exec(["bash", "-c", FIND], cwd=sandbox.workspace, timeout=30)
    found = [item for item in result.stdout.decode("utf-8", "replace").split("\x00") if item]
    names = sorted(found, key=lambda name: (name == "MEMORY.md", name), reverse=True)[:FILES]
    contents = await asyncio.gather(*(_content(sandbox, name) for name in names))
    return {name: text for name, text in zip(names, contents, strict=True) if text is not None}


async def _content(sandbox: Sandbox, name: str) -> str | None:
    try:
        data = await sandbox.read(posixpath.join(sandbox.workspace, name), limit=FILE_BYTES)
    except OSError:
        return None
    return data.decode("utf-8-sig", "replace")


def split_passages(path: str, text: str) -> list[Passage]:
    """Paragraphs and headings; a list or a table counts as one paragraph."""
    passages: list[Passage] = []
    heading = ""
    start = 0
    lines = text.splitlines()
    for index, line in enumerate([*lines, ""]):
        is_heading = HEADING.match(line) is not None
        if (is_heading or not line.strip()) and start < index:
            body = "\n".join(lines[start:index])
            passages.append(Passage(path, start + 1, index, body, heading))
        if is_heading:
            heading = line.lstrip("#").strip()
            start = index
            following = lines[index + 1] if index + 1 < len(lines) else ""
            if following.strip() and not HEADING.match(following):
                start = index + 1
        elif not line.strip():
            start = index + 1
    return passages
