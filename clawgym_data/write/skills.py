"""Reads folders of skills: `NAME/SKILL.md`, front matter and instructions.

A skill becomes tasks only when its work can be done on files in a sandbox without network: those
that need credentials, media or a live network are left out, with the line that says so.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from clawgym_bench.errors import InputError

FILE = "SKILL.md"
BYTES = 64 * 2**10
SKILLS = 2_000
DEPTH = 4

_NEEDS: Mapping[str, re.Pattern[str]] = {
    "credentials": re.compile(
        r"\bapi[ _-]?keys?\b|\b[A-Z][A-Z0-9]*_(?:API_KEY|TOKEN|SECRET|PASSWORD)\b|\boauth2?\b"
        r"|\b(?:access|bearer|auth|bot|personal access) tokens?\b|\bclient secrets?\b"
        r"|\b(?:log|sign) ?in (?:to|with) (?:your|the|an?)\b|\bcredentials\b",
        re.I,
    ),
    "media": re.compile(
        r"\b(?:screenshots?|webcam|camera|microphone|text[- ]to[- ]speech|speech[- ]to[- ]text"
        r"|transcrib\w+|ffmpeg|imagemagick|image (?:generation|editing)|(?:generate|edit|render)"
        r" (?:an? )?(?:images?|videos?|audio)|(?:video|audio|image|music) files?|photos?)\b",
        re.I,
    ),
    "live network": re.compile(
        r"\b(?:curl|wget)\s+\S|\brequests\.(?:get|post)\b|\bweb[_ ]?(?:search|fetch)\b"
        r"|\bsearch the (?:web|internet)\b|\b(?:rest|graphql|http|web) api\b|\bwebhooks?\b"
        r"|\b(?:open|control|drive|automate) (?:the |a )?(?:web )?browser\b|\bscrap(?:e|ing)\b"
        r"|\b(?:live|real[- ]time) (?:data|prices?|weather|quotes?)\b|\bssh\s+\S+@"
        r"|\bhttps?://(?!(?:[\w.-]+\.)?(?:example\.(?:com|org|net)|localhost|test)\b)\S+/api\b",
        re.I,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Skill:
    """`text` is the body of SKILL.md, without its front matter."""

    name: str
    description: str
    text: str
    licence: str = ""

    @property
    def words(self) -> frozenset[str]:
        found = re.findall(r"[a-z]{4,}", f"{self.name} {self.description}".lower())
        return frozenset(found)


@dataclass(frozen=True)
class Skills:
    """Those that can be used, by name, and the reasons why others cannot."""

    usable: tuple[Skill, ...]
    left_out: Mapping[str, str]


def read_skills(folder: str | Path) -> Skills:
    """Every `SKILL.md` at or below `folder`; symbolic links are not followed.

    Raises `InputError` when there is none that can be used.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"--skills {folder}: is no folder; give one that holds NAME/{FILE}")
    usable: dict[str, Skill] = {}
    left_out: dict[str, str] = {}
    count = 0
    for path in _found(root):
        count += 1
        if count > SKILLS:
            raise InputError(f"--skills {folder}: holds more than {SKILLS:,} skills; give a part")
        place = path.parent.relative_to(root).as_posix()
        try:
            skill = _read(path)
        except ValueError as error:
            left_out[place] = str(error)
            continue
        if skill.name in usable:
            left_out[place] = f"another skill is called {skill.name}"
        elif reason := _needs(skill, _front(path)):
            left_out[place] = reason
        else:
            usable[skill.name] = skill
    if not usable:
        told = "".join(f"\n  {name}: {reason}" for name, reason in sorted(left_out.items())[:20])
        raise InputError(f"--skills {folder}: no skill there can be used{told or f'; no {FILE}'}")
    return Skills(tuple(usable[name] for name in sorted(usable)), dict(sorted(left_out.items())))


def _found(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root, followlinks=False):
        folders.sort()
        if len(Path(folder).relative_to(root).parts) >= DEPTH:
            folders.clear()
        path = Path(folder) / FILE
        if FILE in names and not path.is_symlink():
            yield path


def _content(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(BYTES + 1)
    if len(content) > BYTES:
        raise ValueError(f"{FILE} has more than {BYTES // 1024} KB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{FILE} is not UTF-8") from None


def _parts(text: str) -> tuple[str, str]:
    match = re.match(r"---\s*\n(.*?)\n---\s*(?:\n|$)(.*)", text, re.S)
    return (match[1], match[2]) if match else ("", text)


def _front(path: Path) -> dict[str, Any]:
    front, _ = _parts(_content(path))
    try:
        found = yaml.safe_load(front) or {}
    except (yaml.YAMLError, RecursionError, ValueError):
        raise ValueError("its front matter is no YAML") from None
    if not isinstance(found, dict):
        raise ValueError("its front matter is no list of fields")
    return found


def _read(path: Path) -> Skill:
    """Raises `ValueError` with the reason for a skill that cannot be read."""
    front = _front(path)
    _, body = _parts(_content(path))
    name = str(front.get("name") or path.parent.name).strip().lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9 ._-]{0,79}", name):
        raise ValueError("its name is no name")
    description = str(front.get("description") or "").strip()
    if not description:
        raise ValueError("its front matter has no description")
    if not body.strip():
        raise ValueError("it says nothing after its front matter")
    return Skill(name, description[:2_000], body.strip(), str(front.get("license") or "")[:100])


def _needs(skill: Skill, front: Mapping[str, Any]) -> str | None:
    """Why a skill cannot be used, with the words that say so."""
    for requires in _requirements(front):
        if env := requires.get("env"):
            return f"needs credentials: requires {_shown(env)}"
    text = f"{skill.description}\n{skill.text}"
    for need, pattern in _NEEDS.items():
        if found := pattern.search(text):
            start = text.rfind("\n", 0, found.start()) + 1
            line = text[start:].split("\n", 1)[0].strip()
            return f"needs {need}: “{line[:120]}”"
    return None


def _requirements(front: Any) -> Iterator[Mapping[str, Any]]:
    """Every `requires` in the front matter, however deep its keeper; each keeper once, for YAML
    can name one a million times."""
    waiting: list[Any] = [front]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if not isinstance(value, dict) or id(value) in seen:
            continue
        seen.add(id(value))
        for key, inner in value.items():
            if key == "requires" and isinstance(inner, dict):
                yield inner
            elif key == "metadata" and isinstance(inner, str):
                try:
                    waiting.append(yaml.safe_load(inner))
                except (yaml.YAMLError, RecursionError):
                    continue
            else:
                waiting.append(inner)


def _shown(value: Any) -> str:
    names = value if isinstance(value, list) else [value]
    return ", ".join(str(name)[:60] for name in names[:5])
