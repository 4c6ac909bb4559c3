import csv
import json
from pathlib import Path

rows = list(csv.reader(open("triage/incidents.csv", newline="")))
with open("triage/incidents.csv", "w", newline="") as file:
    writer = csv.writer(file, delimiter="\t")
    order = [0, 7, 1, 2, 3, 5, 4, 6, 8, 9]
    writer.writerow([rows[0][at].replace("_", " ").title() for at in order])
    for row in rows[1:]:
        row[2] = row[2].replace("T", " ").replace("Z", " UTC")
        row[3] = row[3].replace("Z", ":00+00:00")
        row[6] += " %"
        row[7] = row[7].upper()
        row[8] = row[8].replace("none", "None")
        writer.writerow([row[at] for at in order])
summary = json.loads(Path("triage/summary.json").read_text())
summary = dict(reversed(list(summary.items())))
summary["requests"] = str(summary["requests"])
Path("triage/summary.json").write_text(json.dumps(summary))
Path("triage/note.md").write_text(
    """Handover, night to Saturday
===========================

Number of incidents: six

INC-1, the only sev1
--------------------

- Service: Checkout
- Start: 2026-10-16 21:12 UTC
- End: 2026-10-16 21:32 UTC
- Errors: 111
- Cause: `GatewayTimeout`
- Change before: CHG-882 (new payment gateway endpoint)

Ongoing: INC-6
"""
)
