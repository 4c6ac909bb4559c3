import csv
import json
from pathlib import Path

rows = list(csv.reader(open("analysis/stations.csv", newline="")))
with open("analysis/stations.csv", "w", newline="") as file:
    writer = csv.writer(file, delimiter=";")
    writer.writerow([name.replace("_", " ").title() for name in rows[0]])
    for row in rows[1:]:
        for at in (4, 5, 6, 7):
            row[at] = f"£{float(row[at]):,.2f}".replace("£-", "-£")
        row[9] += "%"
        writer.writerow(row)
decision = json.loads(Path("analysis/decision.json").read_text())
decision["recommend"] = ["S8", "S6"]
decision["barred_pairs"] = [["S7", "S6"]]
decision = dict(reversed(list(decision.items())))
Path("analysis/decision.json").write_text(json.dumps(decision))
