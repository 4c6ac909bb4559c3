import json
import re
from pathlib import Path

for path in Path("vault").glob("*.md"):
    if path.stem == "welcome":
        continue
    head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", path.read_text(), re.S).groups()
    lines = []
    for line in reversed(head.split("\n")):
        key, _, value = line.partition(": ")
        if key == "tags":
            tags = value.strip("[]").split(", ") if value != "[]" else []
            lines.append("tags:" + ("".join(f"\n  - {tag}" for tag in tags) or " []"))
        else:
            lines.append(f'{key}: "{value}"')
    text = "---\n" + "\n".join(lines) + "\n---\n" + body.replace("\n\n", "\n\n\n") + "\n"
    path.write_bytes(text.replace("\n", "\r\n").encode())
data = json.loads(Path("index.json").read_text())
data["notes"] = [dict(reversed(note.items())) for note in data["notes"]]
Path("index.json").write_text(json.dumps(dict(reversed(data.items()))))
