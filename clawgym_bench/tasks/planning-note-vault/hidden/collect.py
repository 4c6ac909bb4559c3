"""Prints what the notes in vault/ hold, as JSON by file name. Holds no answers.

matter: title, created, tags, status and other keys in one line. text: all lines below the front
matter that are not blank, and the links that name no note. The protected note is left out.
"""

import json
import re
import sys
from pathlib import Path


def scalar(text):
    """A plain or quoted YAML scalar, without a comment behind it."""
    text = text.strip()
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\']|\'\')*)\'', text)
    if quoted:
        double, single = quoted.groups()
        return re.sub(r"\\(.)", r"\1", double) if double is not None else single.replace("''", "'")
    return re.sub(r"(?:^|\s)#.*", "", text).strip()


def listed(text):
    """The elements of [a, "b", c]."""
    inner = re.sub(r"\]\s*(?:#.*)?$", "", text.strip()[1:])
    return [scalar(part) for part in inner.split(",") if part.strip()]


def flat_yaml(text):
    """Front matter as people write it: keys with a scalar, [a, list] or a list of - lines."""
    found, key = {}, None
    lines = re.sub(r"\[[^\[\]]*\]", lambda m: m[0].replace("\n", " "), text).split("\n")
    for line in lines:
        item = re.match(r"\s*-\s+(.*)", line)
        pair = re.match(r"([^\s:#'\"-][^:]*|\"[^\"]*\"|'[^']*')\s*:(?:\s+(.*))?$", line)
        if pair:
            key, value = scalar(pair[1]), (pair[2] or "").strip()
            value = "" if value in (">", ">-", "|", "|-") else value
            found[key] = listed(value) if value.startswith("[") else scalar(value)
        elif item and key is not None:
            found[key] = [*(found[key] if isinstance(found[key], list) else []), scalar(item[1])]
        elif line.strip() and not line.lstrip().startswith("#") and isinstance(found.get(key), str):
            found[key] = f"{found[key]} {scalar(line)}".strip()
    return found


def parts(text):
    text = text.lstrip("\ufeff").replace("\r\n", "\n")
    match = re.match(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", text, re.S)
    return (flat_yaml(match[1]), text[match.end() :]) if match else ({}, text)


def matter_line(matter):
    known = ["title", "created", "tags", "status"]
    tags = matter.get("tags", "?")
    tags = ",".join(tags) if isinstance(tags, list) else tags
    line = f"{matter.get('title')}; {matter.get('created')}; {tags}; {matter.get('status')}"
    more = [f"; {key}={matter[key]}" for key in sorted(map(str, matter)) if key not in known]
    return line + "".join(more)


def text_line(body):
    links = set(re.findall(r"\[\[([^\[\]]+)\]\]", re.sub(r"`[^`]*`", "", body)))
    broken = sorted(link for link in links if re.split(r"[#|]", link)[0] not in names)
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    return " / ".join([*lines, f"links that lead nowhere: {', '.join(broken) or 'none'}"])


names = {path.stem for path in Path("vault").glob("*.md")}
found = {}
for path in sorted(Path("vault").glob("*.md")):
    if path.stem == "welcome":
        continue
    try:
        matter, body = parts(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        found[path.stem] = type(error).__name__
        continue
    found[path.stem] = matter_line(matter) if sys.argv[1] == "matter" else text_line(body)
json.dump(found, sys.stdout, ensure_ascii=False)
