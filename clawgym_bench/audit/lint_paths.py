"""Rules of *lint* on files that a request names: there, to be made, or declared missing.

A path is what stands in backticks and looks like one, or a bare word with a slash and a suffix, or
with a suffix of a document. Placeholders (`OUT.json`, `YYYY-MM-DD.csv`, `<name>.md`), addresses and
options are none. Whether an unknown one was to be read or written is told by the folder it is in
and by the verb before it.
"""

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass

from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_reading import Reading, holds, words
from clawgym_bench.checks.globs import is_glob, matches

_DOCUMENTS = words(
    "csv tsv json jsonl ndjson yaml yml toml ini cfg md txt rst html htm xml pdf docx doc xlsx xls "
    "pptx ics vcf eml mbox sqlite sql zip tar gz tgz parquet ipynb tex bib srt vtt geojson"
)
_SOURCES = words(
    "py sh js ts rb go java c h cpp rs log db conf env lock diff patch png jpg svg css"
)
_SUFFIX = "|".join(_DOCUMENTS + _SOURCES)
_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,20}://[^\s`)>\]]+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]+", re.I
)
_TICKED = re.compile(r"`([^`]{1,200})`")
_BARE = re.compile(
    rf"(?<![\w@/.:~-])(?P<path>(?:\./|/)?(?:[\w.+*-]+/)+[\w.+*-]*\.(?:{_SUFFIX})"
    rf"|[\w+-][\w.+-]*\.(?:{'|'.join(_DOCUMENTS)})"
    r"|(?:\./)?(?:[\w+-][\w.+-]*/)+(?=[\s,;:)]|\.?$|\.\s))(?![\w/])",
    re.M,
)
_PATH = re.compile(rf"(?:[^/]+/)+(?:[^/]*)|[^/]+\.(?:{_SUFFIX})", re.I)
_PLACEHOLDER = re.compile(
    r"[<>{}$%…]|\.\.\.|YYYY|MM-DD|(?<![A-Za-z])(?:IN|OUT|FILE|NAME|ID|PATH|SOURCE|TARGET|ROOT|DIR|N|X"
    r"|INPUT|OUTPUT|XX+)(?![A-Za-z])"
)
_WRITES = re.compile(
    r"\b(?:writ\w*|sav\w*|creat\w*|produc\w*|generat\w*|export\w*|deliver\w*|output\w*|mak\w+|put"
    r"|prepar\w*|draft\w*|build|add|named|called|store\w*|emit\w*|record\w*|compil\w*|log it)\b",
    re.I,
)
_READS = re.compile(
    r"\b(?:read\w*|from|use|using|load\w*|open|inspect\w*|see|given|provided|pars\w*|based on"
    r"|compar\w*|extract\w*|analy\w*|review\w*|inputs?|join\w*|described?|come|are|is)\b",
    re.I,
)
_JUST_BEFORE = re.compile(
    r"\b(?:in|from|by|of|under|see|with|using|per|against|at)\s[`\"'(]*$", re.I
)
_OUTPUT_FOLDERS = frozenset(
    words("output outputs out result results report reports deliverables dist build artifacts")
)
CUE_CHARACTERS = 400


@dataclass(frozen=True)
class Named:
    """A path in a request: as it is written, relative, with its session, line and place."""

    path: str
    session: int
    line: int
    at: int


def named_paths(text: str, session: int, workspace: str) -> Iterator[Named]:
    """Every path that a request names, in order."""
    blank = _ADDRESS.sub(lambda match: " " * len(match.group()), text)
    spans: list[tuple[int, str]] = []
    for match in _TICKED.finditer(blank):
        whole = " ".join(match[1].split())
        several = sum(bool(_PATH.fullmatch(word)) for word in whole.split()) > 1
        if _PATH.fullmatch(whole) and " -" not in whole and not several:
            spans.append((match.start(1), whole))
            continue
        for word in re.finditer(r"\S+", match[1]):
            if _PATH.fullmatch(word.group()):
                spans.append((match.start(1) + word.start(), word.group()))
    bare = _TICKED.sub(lambda match: " " * len(match.group()), blank)
    spans += [(match.start("path"), match["path"]) for match in _BARE.finditer(bare)]
    for at, written in sorted(spans):
        path = written.strip("\"'“”‘’(),;:")
        path = path.removeprefix(workspace.rstrip("/") + "/").removeprefix("./")
        path = path.rstrip(".") if not path.endswith("/") else path
        if path and not _PLACEHOLDER.search(path) and not path.startswith(("/", "-", "~", ".")):
            yield Named(path, session, text.count("\n", 0, at) + 1, at)


def files_named(reading: Reading) -> Iterator[Finding]:
    """Errors for named files that are nowhere; warnings where it is not certain."""
    task = reading.task
    given: set[str] = set()
    for number, text in enumerate(reading.requests, 1):
        if number == 1:
            given |= set(task.workspace)
        given |= set(task.arrivals(number))
        paths = list(named_paths(text, number, task.workspace_path))
        seen: set[str] = set()
        for named in paths:
            longer = any(other.path.endswith(f"/{named.path}") for other in paths)
            if named.path in seen or longer:
                continue
            seen.add(named.path)
            yield from _judge(reading, named, given)
    for path in task.missing:
        if not holds(reading.asked, path) and not holds(reading.asked, path.rsplit("/", 1)[-1]):
            yield Finding(
                "warning",
                f"`missing` declares {path}, which no request names",
                "remove it, or let the request name it",
                file="task.yaml",
            )


def _judge(reading: Reading, named: Named, given: set[str]) -> Iterator[Finding]:
    task = reading.task
    known = given | reading.delivered | set(task.missing)
    if _among(named.path, known):
        return
    where = f"session {named.session} names {named.path}"
    if _among(named.path, set(task.inputs)):
        remedy = "let it arrive earlier, or say when it comes"
        yield Finding("warning", f"{where}, which arrives only later", remedy, line=named.line)
        return
    folder = named.path.rstrip("/").rsplit("/", 1)[0] if "/" in named.path.rstrip("/") else ""
    made = {path.rsplit("/", 1)[0] for path in reading.delivered if "/" in path}
    if folder and any(folder == one or folder.startswith(one + "/") for one in made):
        return
    if named.path in reference_files(reading):
        return
    role = _role(reading, named)
    if role == "write" and reading.imported:
        return
    if holds(reading.given, named.path):
        evidence = f"{where}: it is only spoken of in an input"
        yield Finding("note", evidence, line=named.line)
    elif role == "read" or (role == "unclear" and not reading.imported):
        remedy = "correct the name, add the file, or declare it in `missing`"
        yield Finding("error", f"{where}, which does not exist", remedy, line=named.line)
    elif role == "write":
        evidence = f"{where} as something to make, and the contract does not"
        yield Finding("warning", evidence, "add it to `outputs`", line=named.line)
    else:
        evidence = f"{where}; there is no such file, and it is not clear who makes it"
        yield Finding("warning", evidence, "say so in the request", line=named.line)


def _among(path: str, known: set[str]) -> bool:
    """Whether a named path is a file or folder there: in full, or from a folder downwards."""
    bare = path.rstrip("/")
    if any(sign in bare for sign in "*?"):
        return any(
            fnmatch.fnmatchcase(one, bare) or fnmatch.fnmatchcase(one, f"*/{bare}")
            for one in known
        )  # fmt: skip
    if any(is_glob(one) and matches(path, one) for one in known):
        return True
    if not path.endswith("/") and any(one == bare or one.endswith(f"/{bare}") for one in known):
        return True
    return any(f"/{one}".find(f"/{bare}/") >= 0 for one in known)


def reference_files(reading: Reading) -> set[str]:
    """What the reference lays into the workspace; not what its programs make."""
    return {
        path.split("/files/", 1)[1]
        for path in reading.task.files
        if path.startswith("solution/") and "/files/" in path
    }


def _role(reading: Reading, named: Named) -> str:
    """Whether an unknown file was to be read or written: "read", "write" or "unclear"."""
    top = named.path.split("/")[0].lower() if "/" in named.path else ""
    if top in _OUTPUT_FOLDERS:
        return "write"
    before = reading.requests[named.session - 1][max(0, named.at - CUE_CHARACTERS) : named.at]
    tops = {path.split("/")[0].lower() for path in reading.task.inputs if "/" in path}
    if top in tops and _JUST_BEFORE.search(before):
        return "read"
    sentence = re.split(r"(?<=[.!?])\s|\n\s*\n", before)[-1]
    for text in (sentence, before):
        read, write = (
            max((match.end() for match in pattern.finditer(text)), default=-1)
            for pattern in (_READS, _WRITES)
        )
        if read != write:
            return "read" if read > write else "write"
    return "read" if top in tops else "unclear"


def names_file(reading: Reading, path: str) -> bool:
    """Whether a request or an input other than the file itself speaks of it, by path or name."""
    name = path.rsplit("/", 1)[-1]
    if holds(reading.asked, path) or holds(reading.asked, name):
        return True
    own = reading.inputs.get(path, "").casefold().count(name.casefold())
    return reading.spoken.count(name.casefold()) > own
