"""Rules of *lint* on what a task needs to run: programs and modules of the image, no network."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache

from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_reading import Reading, words
from clawgym_bench.checks.command import CommandCheck
from clawgym_bench.sandbox.image.build import packages
from clawgym_bench.task import Task

# What a package of the image is called by those who use it, where that is not its own name.
_INSIDE: dict[str, str] = {
    "coreutils": "base64 basename cat chmod comm cp cut date dd df dirname du echo env expr fmt "
    "fold head join ln ls md5sum mkdir mktemp mv nl numfmt od paste printf pwd readlink realpath "
    "rm rmdir seq sha1sum sha256sum shuf sleep sort split stat tac tail tee test timeout touch tr "
    "true tsort false uniq wc",
    "gawk": "awk",
    "procps": "ps top pgrep pkill free",
    "ripgrep": "rg",
    "sqlite3": "sqlite3",
    "python3": "python python3",
    "python3-docx": "docx",
    "python3-yaml": "yaml pyyaml",
    "python3-dateutil": "dateutil six",
    "python3-pandas": "pandas pytz",
    "python3-openpyxl": "openpyxl et_xmlfile",
    "nodejs": "node nodejs",
    "unzip": "unzip zipinfo",
}
# Debian's essential packages: in every image without being asked for.
_ESSENTIAL = (
    "bash sh dash grep egrep fgrep sed find xargs tar gzip gunzip zcat diff cmp hostname perl "
    "mawk which login mount util-linux diffutils findutils bzip2 debianutils kill more "
    "getopt flock rev column"
)
_NETWORK_MODULES = frozenset(
    words(
        "requests urllib.request urllib3 http.client httpx aiohttp socket ftplib smtplib imaplib "
        "openai anthropic websocket websockets selenium playwright boto3 google.generativeai "
        "litellm"
    )
)
_NETWORK_COMMANDS = re.compile(
    r"\b(?:curl|wget|pip3? install|apt(?:-get)? install|npm install|git clone)\b"
)
_ADDRESS = re.compile(r"https?://([\w.-]+)[^\s`'\"<>)\]]*", re.I)
_RESERVED = re.compile(
    r"(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal)$|^127\.|^0\.0",
    re.I,
)
_FETCHES = re.compile(
    r"\b(?:fetch|download|visit|browse|scrape|crawl|open|go to|look up|retrieve|get|from|check"
    r"|query|call|pull|use|search)\b[^.!?\n]{0,80}$",
    re.I,
)
_ONLINE = re.compile(
    r"\b(?:search (?:the )?(?:web|internet|online)|look (?:it |them |this )?up (?:online|on the)"
    r"|(?:on|from|via) the (?:internet|web)|browse the web|live (?:web|data|prices?|site)"
    r"|latest (?:news|prices?|exchange rates?) (?:from|on)|google (?:for|it|search))\b",
    re.I,
)
_DENIED = re.compile(r"\b(?:no|not|never|without|don'?t|offline|avoid|instead of|nor)\b", re.I)


@lru_cache(maxsize=1)
def available() -> frozenset[str]:
    """Programs, Debian packages and Python modules that a sandbox has."""
    names = {*_ESSENTIAL.split(), *sys.stdlib_module_names, "python", "python3", "node"}
    for package in packages():
        names |= {package, package.removeprefix("python3-"), *_INSIDE.get(package, "").split()}
    return frozenset(names)


def requirements(reading: Reading) -> Iterator[Finding]:
    """What `requires` lists, what commands start and what the task's programs import is there."""
    task = reading.task
    for name in task.requires:
        if name.lower().replace("_", "-") not in _known() and name not in available():
            yield Finding(
                "error",
                f"`requires` lists {name}, which the image has not",
                "use what clawgym_bench/sandbox/image/packages.txt lists",
                file="task.yaml",
            )
    for check in task.checks:
        if isinstance(check.body, CommandCheck):
            program = check.body.run_command[0]
            if "/" not in program and program not in available():
                evidence = f"check {check.id} starts {program}, which the image has not"
                yield Finding("error", evidence, "start something else", file="task.yaml")
    for path, module in foreign_imports(task):
        if module not in available():
            yield Finding(
                "error",
                f"{path} imports {module}, which the image has not",
                "use the standard library or what the image has",
                file=path,
            )


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(name.lower().replace("_", "-") for name in available())


def foreign_imports(task: Task) -> Iterator[tuple[str, str]]:
    """Modules that programs of the reference and of checks import from outside the task."""
    own = {part.removesuffix(".py") for path in task.files for part in path.split("/")}
    for path, file in task.files.items():
        top = path.split("/")[0]
        if top not in {"solution", "variants", "hidden", "reward"} or not path.endswith(".py"):
            continue
        for module in sorted(_imports(file.content)):
            if module.split(".")[0] not in own:
                yield path, module.split(".")[0]


def _imports(content: bytes) -> set[str]:
    """Modules that a program imports outside `try`, where it could do without."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    guarded = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in guarded:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


def network(reading: Reading) -> Iterator[Finding]:
    """There is no network: pages that a request sends the agent to are recorded in web/."""
    recorded = "\n".join(text for path, text in reading.inputs.items() if path.startswith("web/"))
    for number, text in enumerate(reading.requests, 1):
        for match in _ADDRESS.finditer(text):
            address, host = match.group().rstrip(".,;:"), match[1].lower().rstrip(".")
            if _RESERVED.search(host) or address in recorded or host in recorded:
                continue
            before = text[max(0, match.start() - 100) : match.start()]
            wanted = bool(_FETCHES.search(before)) and not _DENIED.search(before)
            yield Finding(
                "error" if wanted else "warning",
                f"session {number} {'sends the agent to' if wanted else 'names'} the live page "
                f"{address}, which is not recorded",
                "record the page in web/, or do without",
                line=text.count("\n", 0, match.start()) + 1,
            )
        if recorded:
            continue
        for match in _ONLINE.finditer(text):
            start = max(text.rfind(sign, 0, match.start()) for sign in ".!?\n") + 1
            if not _DENIED.search(text[start : match.end()]):
                yield Finding(
                    "error",
                    f"session {number} asks for {match.group()!r} and there are no recorded pages",
                    "record pages in web/, or do without",
                    line=text.count("\n", 0, match.start()) + 1,
                )


def checker_network(reading: Reading) -> Iterator[Finding]:
    """A checker that asks the network, or a model, gives another score every day."""
    for path, file in reading.task.files.items():
        if not path.startswith(("reward/", "hidden/")):
            continue
        text = file.content[: 2**20].decode("utf-8", errors="replace")
        reached = _reaches(path, file.content, text)
        if reached:
            yield Finding(
                "error" if path.startswith("reward/") else "warning",
                f"{path} reaches for the network ({reached})",
                "let the checker work on files alone",
                file=path,
            )


def _reaches(path: str, content: bytes, text: str) -> str | None:
    if path.endswith(".py"):
        imported = sorted(_imports(content) & _NETWORK_MODULES)
        if imported:
            return f"import {imported[0]}"
    if path.endswith((".py", ".sh")):
        for line in text.splitlines():
            command = _NETWORK_COMMANDS.search(line.split("#")[0])
            if command and (path.endswith(".sh") or "subprocess" in text or "os.system" in text):
                return command.group()
    return None
