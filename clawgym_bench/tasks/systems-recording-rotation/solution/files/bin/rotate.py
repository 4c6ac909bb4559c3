"""Rotates a folder of recordings by policy/rotation.md."""

import argparse
import csv
import fnmatch
import hashlib
import json
import os
import re
import sys
from datetime import datetime
from pathlib import Path

NAME = re.compile(r"([a-z0-9-]+)_(\d{8})T(\d{4})\.(ogg|cue)", re.ASCII)


class Recording:
    """A file in incoming/ and what its name says; `source` is None for a bad name."""

    def __init__(self, path):
        self.path, self.name = path, path.name
        self.source = self.day = None
        match = NAME.fullmatch(path.name)
        if match:
            try:
                self.day = datetime.strptime(match[2] + match[3], "%Y%m%d%H%M").date()
                self.source = match[1]
            except ValueError:
                pass

    def archived(self):
        return f"archive/{self.source}/{self.day:%Y-%m}/{self.name}"


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_sums(root):
    """The lines of SHA256SUMS with the name in incoming/ that each is about (or None)."""
    path = root / "SHA256SUMS"
    lines = []
    for line in path.read_text().splitlines() if path.exists() else []:
        match = re.fullmatch(r"([0-9A-Fa-f]{64}) [ *]incoming/(.+)", line)
        lines.append((line, match[2], match[1].lower()) if match else (line, None, ""))
    return lines


def read_holds(root):
    path = root / "HOLD"
    lines = [line.strip() for line in path.read_text().splitlines()] if path.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def read_classes(root):
    with open(root / "classes.csv", newline="") as file:
        return {
            row["source"].strip(): (
                int(row["keep_days"]),
                int(row["expire_days"]) if row["expire_days"].strip() else None,
            )
            for row in csv.DictReader(file)
        }


def decide(one, root, today, sums, holds, classes):
    path = one.path
    if path.stat().st_size == 0:
        return "quarantine", "empty"
    if one.name not in sums:
        return "quarantine", "unlisted"
    if sha256(path) != sums[one.name]:
        return "quarantine", "checksum"
    if one.day > today:
        return "quarantine", "future"
    if any(fnmatch.fnmatchcase(one.name, pattern) for pattern in holds):
        return "keep", "hold"
    keep_days, expire_days = classes.get(one.source) or classes["*"]
    age = (today - one.day).days
    if age <= keep_days:
        return "keep", "recent"
    if expire_days is not None and age > expire_days:
        return "delete", "expired"
    there = root / one.archived()
    if there.exists():
        same = there.read_bytes() == path.read_bytes()
        return ("delete", "already-archived") if same else ("quarantine", "conflict")
    return "archive", "aged"


def plan(root, today):
    found = [
        Recording(path)
        for path in sorted((root / "incoming").iterdir(), key=lambda path: path.name)
        if path.is_file() and not path.name.startswith(".")
    ]
    lines = read_sums(root)
    sums = {name: digest for _, name, digest in lines if name}
    holds, classes = read_holds(root), read_classes(root)
    decided = {}
    for one in found:
        if one.source is None:
            decided[one.name] = ("quarantine", "bad-name")
        elif one.name.endswith(".ogg"):
            decided[one.name] = decide(one, root, today, sums, holds, classes)
    actions, taken = [], set()
    for one in found:
        sound = one.name.removesuffix(".cue") + ".ogg"
        action, reason = decided.get(one.name) or decided.get(sound) or ("quarantine", "orphan")
        target = None
        if action == "archive":
            target = one.archived()
        elif action == "quarantine":
            first = target = f"quarantine/{reason}/{one.name}"
            number = 0
            while (root / target).exists() or target in taken:
                number += 1
                target = f"{first}.{number}"
            taken.add(target)
        actions.append({"file": one.name, "action": action, "reason": reason, "target": target})
    present = {one.name for one in found}
    missing = sorted(
        name for name in sums if name not in present and not (root / "incoming" / name).exists()
    )
    return actions, missing, lines


def replace(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(text)
    os.replace(draft, path)


def carry_out(root, actions, lines):
    manifest = {}
    path = root / "archive" / "MANIFEST.csv"
    if path.exists():
        with open(path, newline="") as file:
            manifest = {row["path"]: (row["bytes"], row["sha256"]) for row in csv.DictReader(file)}
    archived = gone = False
    for one in actions:
        source = root / "incoming" / one["file"]
        if one["action"] == "archive":
            inside = one["target"].removeprefix("archive/")
            manifest[inside] = (str(source.stat().st_size), sha256(source))
            archived = True
        if one["target"]:
            (root / one["target"]).parent.mkdir(parents=True, exist_ok=True)
            os.replace(source, root / one["target"])
        elif one["action"] == "delete":
            source.unlink()
        gone = gone or one["action"] != "keep"
    if archived:
        rows = [",".join((name, *manifest[name])) for name in sorted(manifest)]
        replace(path, "\n".join(["path,bytes,sha256", *rows]) + "\n")
    if gone and lines:
        left = {one["file"] for one in actions if one["action"] != "keep"}
        replace(root / "SHA256SUMS", "".join(f"{line}\n" for line, name, _ in lines if name not in left))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--today", required=True)
    parser.add_argument("--dry-run", action="store_true")
    arguments = parser.parse_args()
    root = arguments.root
    try:
        today = datetime.strptime(arguments.today, "%Y-%m-%d").date()
    except ValueError:
        print(f"rotate: {arguments.today!r} is not a date (YYYY-MM-DD)", file=sys.stderr)
        return 2
    if not (root / "incoming").is_dir():
        print(f"rotate: {root} has no folder incoming", file=sys.stderr)
        return 2
    actions, missing, lines = plan(root, today)
    totals = {
        name: sum(one["action"] == name for one in actions)
        for name in ("keep", "archive", "delete", "quarantine")
    }
    totals["archived_bytes"] = sum(
        (root / "incoming" / one["file"]).stat().st_size
        for one in actions
        if one["action"] == "archive"
    )
    report = {"today": str(today), "dry_run": arguments.dry_run, "actions": actions}
    report |= {"missing": missing, "totals": totals}
    if not arguments.dry_run:
        carry_out(root, actions, lines)
    print(json.dumps(report, indent=2))
    return 1 if totals["quarantine"] else 0


if __name__ == "__main__":
    sys.exit(main())
