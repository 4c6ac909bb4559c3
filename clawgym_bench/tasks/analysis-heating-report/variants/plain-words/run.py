import csv
import json
from pathlib import Path

rows = list(csv.reader(open("report/buildings.csv", newline="")))
with open("report/buildings.csv", "w", newline="") as file:
    writer = csv.writer(file, delimiter=";")
    writer.writerow([name.replace("_", " ").capitalize() for name in rows[0]])
    for row in rows[1:]:
        for at in (1, 3):
            row[at] = f"{float(row[at]):,.1f}" if row[at] else "n/a"
        row[2] = f"€ {float(row[2]):,.2f}" if row[2] else "n/a"
        row[4] = f"{row[4]} %" if row[4] else "n/a"
        row[5] = "n/a"
        writer.writerow(row)
status = json.loads(Path("report/status.json").read_text())
status["contradictions"][0]["readings"].reverse()
status["missing_files"] = ["./data/degree-days-2026-q1.csv"]
Path("report/status.json").write_text(json.dumps(dict(reversed(list(status.items())))))
