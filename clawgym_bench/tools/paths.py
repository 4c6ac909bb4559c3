"""Paths as a model writes them. The sandbox is the guard; here they only get resolved."""

import difflib
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass

from clawgym_bench.sandbox.protocol import Sandbox
from clawgym_bench.tools.misuse import ToolMisuse

STAT = 'for path; do LC_ALL=C stat -L -c "%a %s %F" -- "$path" 2>/dev/null || echo -; done'
FIND = r"find . -maxdepth 8 -name .git -prune -o -type f -printf '%P\n' | head -n 5000"


@dataclass(frozen=True)
class Stat:
    """What is at a path. `mode` holds permission bits."""

    mode: int
    size: int
    kind: str

    @property
    def is_directory(self) -> bool:
        return self.kind == "directory"


class Paths:
    """Resolves paths against one sandbox's workspace and home directory."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._home: str | None = None

    async def resolve(self, path: str) -> str:
        """Absolute path inside the sandbox: relative ones start in the workspace, `~` at home."""
        if not path.strip():
            raise ToolMisuse("The path is empty.")
        if "\x00" in path or any("\ud800" <= item <= "\udfff" for item in path):
            raise ToolMisuse(f"The path {path!r} holds characters that no path can have.")
        if path == "~" or path.startswith("~/"):
            path = await self._find_home() + path[1:]
        return posixpath.normpath(posixpath.join(self._sandbox.workspace, path))

    def shown(self, absolute: str) -> str:
        """The shortest way to say it: relative when it lies in the workspace."""
        root = self._sandbox.workspace.rstrip("/") + "/"
        return absolute.removeprefix(root)

    async def stat(self, paths: Sequence[str]) -> list[Stat | None]:
        """What is at each absolute path, links followed; None where nothing is."""
        result = await self._sandbox.exec(["bash", "-c", STAT, "stat", *paths], timeout=30)
        lines = result.stdout.decode("utf-8", "replace").splitlines()
        return [_parse_stat(line) for line in lines] + [None] * (len(paths) - len(lines))

    async def read(self, path: str) -> tuple[str, bytes]:
        """Absolute path and content. Raises `ToolMisuse` that says why there is none."""
        absolute = await self.resolve(path)
        try:
            return absolute, await self._sandbox.read(absolute)
        except FileNotFoundError:
            raise ToolMisuse(await self.missing(path)) from None
        except IsADirectoryError:
            raise ToolMisuse(f"{path} is a directory; list it with ls.") from None
        except PermissionError:
            raise ToolMisuse(f"{path} may not be read: permission denied.") from None
        except OSError as error:
            raise ToolMisuse(
                f"{path} cannot be read: {error.strerror or error}. For very large or special "
                "files use exec (head, tail, sed -n, grep)."
            ) from None

    async def missing(self, path: str) -> str:
        """A message for a path that does not exist, with names that are close to it."""
        result = await self._sandbox.exec(
            ["bash", "-c", FIND], cwd=self._sandbox.workspace, timeout=10
        )
        files = result.stdout.decode("utf-8", "replace").splitlines()
        close = near_names(self.shown(await self.resolve(path)), files)
        if close:
            return f"{path} does not exist. Close to it: {', '.join(close)}"
        return f"{path} does not exist. Use ls to see what is there."

    async def _find_home(self) -> str:
        if self._home is None:
            result = await self._sandbox.exec(["bash", "-c", 'cd && printf %s "$PWD"'], timeout=30)
            self._home = result.stdout.decode("utf-8", "replace") or "/"
        return self._home


def near_names(path: str, files: Sequence[str], count: int = 3) -> list[str]:
    """Files that may have been meant: same name elsewhere first, then similar spellings."""
    name = posixpath.basename(path).casefold()
    same = [file for file in files if posixpath.basename(file).casefold() == name]
    by_path = difflib.get_close_matches(path, files, n=count, cutoff=0.7)
    names = {posixpath.basename(file).casefold(): file for file in reversed(files)}
    by_name = difflib.get_close_matches(name, names, n=count, cutoff=0.7)
    return list(dict.fromkeys([*same, *by_path, *(names[item] for item in by_name)]))[:count]


def _parse_stat(line: str) -> Stat | None:
    parts = line.split(" ", 2)
    if len(parts) != 3 or not parts[1].isdigit():
        return None
    return Stat(int(parts[0], 8), int(parts[1]), parts[2])
