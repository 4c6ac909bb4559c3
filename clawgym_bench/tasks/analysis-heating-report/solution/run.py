import csv
import json
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

START, TURN, END = "31.12.2025", "31.01.2026", "31.03.2026"


def rows(name):
    with open(f"data/{name}", newline="") as file:
        return list(csv.DictReader(file))


def shown(value, places):
    return "" if value is None else str(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


readings = defaultdict(set)
for row in rows("readings-2026-q1.csv"):
    readings[row["meter"], row["date"]].add(int(row["reading"].replace("'", "")))
changes = {row["meter"]: row for row in rows("meter-changes.csv")}
carriers = {row["building"]: row["carrier"] for row in rows("buildings.csv")}
prices = defaultdict(list)
for row in sorted(rows("tariffs.csv"), key=lambda row: row["from"]):
    prices[row["carrier"]].append((Decimal(row["eur_per_kwh"]), Decimal(row["eur_per_day"])))

first, second = defaultdict(Decimal), defaultdict(Decimal)
open_buildings, contradictions = [], []
for meter in rows("meters.csv"):
    name, building = meter["meter"], meter["building"]
    if meter["role"] != "main":
        continue
    values = [readings[name, day] for day in (START, TURN, END)]
    unclear = [day for day, found in zip((START, TURN, END), values) if len(found) != 1]
    if unclear:
        open_buildings.append(building)
        for day in unclear:
            date = "-".join(reversed(day.split(".")))
            found = sorted(readings[name, day], reverse=True)
            contradictions.append({"meter": name, "date": date, "readings": found})
        continue
    start, turn, end = (found.copy().pop() for found in values)
    late = end - turn
    if name in changes:
        late = int(changes[name]["last_reading_old"]) - turn
        late += end - int(changes[name]["first_reading_new"])
    factor = Decimal(meter["kwh_per_unit"])
    first[building] += (turn - start) * factor
    second[building] += late * factor

previous = {row["building"]: Decimal(row["consumption_kwh"]) for row in rows("report-2025-q1.csv")}
lines = []
for building in sorted(carriers):
    used = cost = change = None
    if building not in open_buildings:
        (before, day_before), (after, day_after) = prices[carriers[building]]
        used = first[building] + second[building]
        cost = first[building] * before + second[building] * after
        cost += 31 * day_before + 59 * day_after
        change = 100 * (used - previous[building]) / previous[building]
    lines.append(
        [building, shown(used, 1), shown(cost, 2), previous[building], shown(change, 1), ""]
    )

Path("report").mkdir(exist_ok=True)
with open("report/buildings.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(
        "building consumption_kwh cost_eur previous_kwh change_percent adjusted_kwh".split()
    )
    writer.writerows(lines)
status = {
    "consumption": "partly",
    "cost": "partly",
    "change": "partly",
    "adjusted": "not done",
    "missing_files": ["data/degree-days-2026-q1.csv"],
    "contradictions": contradictions,
    "buildings_without_figures": open_buildings,
}
Path("report/status.json").write_text(json.dumps(status, indent=2) + "\n")
