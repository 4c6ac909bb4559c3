import csv
import json
import re
from datetime import datetime
from pathlib import Path

VAULT = Path("vault")
LINK = re.compile(r"(`[^`]*`)|\[\[([^\[\]|#]+)(#[^\[\]|]*)?(\|[^\[\]]*)?\]\]")
KEYS = ["title", "created", "tags", "status"]


def flat(name):
    return re.sub(r"[-_ ]", "", name).lower()


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


renames = {flat(row["old"]): row["new"] for row in table("renames.csv")}
dates = {row["file"]: row["modified"] for row in table("file-dates.csv")}


def day(text):
    text = text.strip()
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%d %B %Y"):
        try:
            return datetime.strptime(text, form).strftime("%Y-%m-%d")
        except ValueError:
            pass
    raise ValueError(text)


notes = {}
for path in sorted(VAULT.glob("*.md")):
    text = path.read_text()
    matter = {}
    found = re.match(r"---\n(.*?)\n---\n", text, re.S)
    if found:
        for line in found[1].splitlines():
            key, _, value = line.partition(": ")
            matter[key] = re.findall(r"[\w-]+", value) if key == "tags" else value
        text = text[found.end():]
    lines = text.split("\n")
    created = [line for line in lines if line.startswith("Created:")]
    tags = [line for line in lines if line.startswith("Tags:")]
    lines = [line for line in lines if line not in created + tags]
    if not any(line.strip() and not line.startswith("#") for line in lines):
        path.unlink()
        continue
    if "created" not in matter:
        prefix = re.match(r"\d{4}-\d\d-\d\d", path.name)
        matter["created"] = (
            day(created[0][8:]) if created else prefix[0] if prefix else dates[path.name]
        )
    if "title" not in matter:
        matter["title"] = next(line[2:].strip() for line in lines if line.startswith("# "))
    if "tags" not in matter:
        words = re.findall(r"#(\S+)", tags[0]) if tags else []
        matter["tags"] = sorted({word.lower().replace("_", "-") for word in words})
    notes[path.stem] = (matter, lines)

names = {flat(name): name for name in notes}
missing = []


def repaired(name, note):
    if name in notes:
        return name
    seen = flat(name)
    while seen not in names and seen in renames:
        seen = flat(renames[seen])
    return names.get(seen)


def mend(note, line):
    def one(match):
        code, name, part, words = match.groups()
        if code:
            return code
        target = repaired(name, note)
        if target is None:
            missing.append({"note": f"{note}.md", "target": name})
            return f"{words[1:] if words else name} (missing)"
        return f"[[{target}{part or ''}{words or ''}]]"

    return LINK.sub(one, line)


for note, (matter, lines) in notes.items():
    lines[:] = [mend(note, line) for line in lines]

by_title = {}
for note in list(notes):
    by_title.setdefault(notes[note][0]["title"].lower(), []).append(note)
gone = {}
for same in by_title.values():
    if len(same) < 2:
        continue
    old, kept = sorted(same, key=lambda name: notes[name][0]["created"])
    matter, lines = notes[kept]
    while lines and not lines[-1].strip():
        lines.pop()
    more = [line for line in notes[old][1] if line.startswith("- ") and line not in lines]
    lines += ["", f"## From {old}", ""] + more + [""]
    matter["tags"] = sorted({*matter["tags"], *notes[old][0]["tags"]})
    gone[old] = kept
    del notes[old]
    (VAULT / f"{old}.md").unlink()

index = []
for note, (matter, lines) in sorted(notes.items()):
    text = "\n".join(lines)
    text = LINK.sub(
        lambda m: m[1] or f"[[{gone.get(m[2], m[2])}{m[3] or ''}{m[4] or ''}]]", text
    ).strip("\n") + "\n"
    matter["status"] = "open" if "- [ ]" in text else "done" if "- [x]" in text else "note"
    rest = [key for key in matter if key not in KEYS]
    head = [f"{key}: [{', '.join(matter[key])}]" if key == "tags" else f"{key}: {matter[key]}"
            for key in KEYS + rest]
    if note != "welcome":
        (VAULT / f"{note}.md").write_text("---\n" + "\n".join(head) + "\n---\n\n" + text)
    index.append({
        "file": f"{note}.md",
        **{key: matter[key] for key in KEYS},
        "open_tasks": text.count("- [ ]"),
        "links": sorted({m[2] for m in LINK.finditer(text) if m[2]}),
    })
missing.sort(key=lambda one: (one["note"], one["target"]))
Path("index.json").write_text(json.dumps({"notes": index, "missing": missing}, indent=2) + "\n")
