import csv
import gzip
import json
import re
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

LINE = re.compile(
    r'(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) HTTP/[\d.]+" (\d{3}) .* rid=([0-9a-f]{10})$'
)
services = yaml.safe_load(Path("ops/services.yaml").read_text())["services"]
prefixes = sorted(
    ((prefix, name) for name, one in services.items() for prefix in one["prefixes"] if prefix != "/"),
    key=lambda pair: -len(pair[0]),
)


def service(path):
    path = path.partition("?")[0]
    for prefix, name in prefixes:
        if path == prefix or path.startswith(prefix + "/"):
            return name
    return "site"


lines = gzip.decompress(Path("logs/edge/access.log.2.gz").read_bytes()).decode().splitlines()
for name in ("access.log.1", "access.log"):
    lines += Path("logs/edge", name).read_text().splitlines()
counts = Counter(lines=len(lines))
seen, requests, last = set(), [], None
for text in lines:
    match = LINE.match(text)
    if match is None:
        counts["unreadable"] += 1
        continue
    address, when, _, path, status, rid = match.groups()
    if rid in seen:
        counts["repeated"] += 1
        continue
    seen.add(rid)
    time = datetime.strptime(when, "%d/%b/%Y:%H:%M:%S %z").astimezone(timezone.utc)
    last = max(last, time) if last else time
    if path.partition("?")[0] == "/healthz":
        counts["health_checks"] += 1
    elif address == "10.20.0.9":
        counts["load_test"] += 1
    else:
        requests.append((time.replace(second=0), service(path), int(status) >= 500, rid))

causes, rid, final = {}, None, ""
for name in ("app.log.1", "app.log"):
    for text in [*Path("logs/app", name).read_text().splitlines(), "2026-"]:
        if re.match(r"2026-(\d\d-\d\dT|$)", text):
            if rid:
                causes[rid] = final.partition(":")[0].rpartition(".")[2]
            match = re.match(r"\S+ ERROR \[\w+\] rid=(\w+)", text)
            rid = match[1] if match else None
        elif text.strip():
            final = text

minutes = Counter()
for time, name, error, _ in requests:
    minutes[name, time, "all"] += 1
    minutes[name, time, "bad"] += error
changes = []
for text in Path("ops/changes.md").read_text().splitlines():
    cells = [cell.strip() for cell in text.strip("|").split("|")]
    if cells[0].startswith("CHG"):
        start = datetime.fromisoformat(cells[1]).replace(tzinfo=ZoneInfo("Europe/Amsterdam"))
        changes.append((start, cells[2], cells[0]))

found = []
for name in services:
    bad = sorted(
        time
        for (one, time, kind), number in minutes.items()
        if kind == "bad" and one == name and number >= 3
        and number / minutes[name, time, "all"] >= 0.2
    )
    group = []
    for time in [*bad, None]:
        if group and (time is None or time - group[-1] > timedelta(minutes=5)):
            found.append((group[0], name, group[-1]))
            group = []
        if time:
            group.append(time)

out, ongoing = [], []
for number, (start, name, final) in enumerate(sorted(found), 1):
    end = final + timedelta(minutes=1)
    inside = [one for one in requests if one[1] == name and start <= one[0] < end]
    errors = [one for one in inside if one[2]]
    rate = 100 * len(errors) / len(inside)
    steps = (rate >= 50) + (end - start >= timedelta(minutes=10)) + (services[name]["tier"] == 1)
    cause = Counter(causes.get(one[3], "none") for one in errors).most_common(1)[0][0]
    change = [
        id for when, where, id in changes
        if where == name and timedelta() <= start - when <= timedelta(minutes=20)
    ]
    if last - final < timedelta(minutes=5):
        ongoing.append(f"INC-{number}")
    out.append(
        [f"INC-{number}", name, f"{start:%Y-%m-%dT%H:%MZ}", f"{end:%Y-%m-%dT%H:%MZ}", len(inside),
         len(errors), f"{rate:.1f}", f"sev{max(1, 3 - steps)}", cause, *(change or [""])]
    )

Path("triage").mkdir(exist_ok=True)
with open("triage/incidents.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(
        "incident service start end requests errors error_rate severity cause change".split()
    )
    writer.writerows(out)
summary = {
    **{name: counts[name] for name in ("lines", "unreadable", "repeated", "health_checks", "load_test")},
    "requests": len(requests),
    "errors": sum(one[2] for one in requests),
    "services": {
        name: {
            "requests": sum(one[1] == name for one in requests),
            "errors": sum(one[1] == name and one[2] for one in requests),
        }
        for name in services
    },
    "severities": {f"sev{n}": sum(row[7] == f"sev{n}" for row in out) for n in (1, 2, 3)},
    "ongoing": ongoing,
}
Path("triage/summary.json").write_text(json.dumps(summary, indent=2) + "\n")
worst = next(row for row in out if row[7] == "sev1")
note = f"""# Last night

There were {len(out)} incidents.

**{worst[0]}** (sev1, {worst[1]}) lasted from {worst[2][11:16]} to {worst[3][11:16]} UTC, with {worst[5]} errors. Most of them were {worst[8]}. The change before it was {worst[9]}.

{ongoing[0]} is still ongoing.
"""
Path("triage/note.md").write_text(note)
