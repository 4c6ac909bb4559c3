import csv
import json
import sqlite3
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

FIRST, LAST = "2026-01-01", "2026-09-30"
base = sqlite3.connect("file:data/rondo.sqlite?mode=ro", uri=True)
base.execute(
    """
    CREATE TEMP TABLE counted AS
    SELECT b.* FROM bookings b JOIN customers c ON c.id = b.customer_id
    WHERE b.synced_at = (SELECT max(o.synced_at) FROM bookings o WHERE o.ref = b.ref)
      AND b.status = 'completed' AND c.kind NOT IN ('staff', 'test')
      AND date(b.started_at) BETWEEN ? AND ?
    """,
    (FIRST, LAST),
)


def one(sql, *values):
    return base.execute(sql, values).fetchone()[0] or 0


def money(value):
    return Decimal(str(round(value, 6)))


def shown(value, places=2):
    return str(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


fixed, recent = defaultdict(Decimal), defaultdict(Decimal)
with open("data/station-costs-2026.csv", newline="") as file:
    for row in csv.DictReader(file):
        rent, cleaning, other = (
            Decimal(row[name].replace(",", "")) for name in ("rent", "cleaning", "other")
        )
        fixed[row["station_id"]] += rent + cleaning + other
        if row["month"] >= "2026-07":
            recent[row["station_id"]] += cleaning + other
with open("data/leases.csv", newline="") as file:
    leases = {row["station_id"]: row for row in csv.DictReader(file)}

lines, candidates = [], {}
for station, name, opened in base.execute("SELECT id, name, opened_on FROM stations ORDER BY id"):
    open_days = one(
        """
        WITH RECURSIVE days(day) AS (
            SELECT max(?, ?) UNION ALL SELECT date(day, '+1 day') FROM days WHERE day < ?
        )
        SELECT count(*) FROM days WHERE NOT EXISTS (
            SELECT 1 FROM closures WHERE station_id = ? AND day BETWEEN first_day AND last_day
        )
        """,
        opened, FIRST, LAST, station,
    )
    bookings = one("SELECT count(*) FROM counted WHERE station_id = ?", station)
    fees = one("SELECT sum(fee) FROM counted WHERE station_id = ?", station)
    refunded = one(
        "SELECT sum(r.amount) FROM refunds r JOIN counted b ON b.ref = r.booking_ref "
        "WHERE b.station_id = ? AND r.paid_on <= ?",
        station, LAST,
    )
    running = Decimal("0.19") * money(one("SELECT sum(km) FROM counted WHERE station_id = ?", station))
    customers = one("SELECT count(DISTINCT customer_id) FROM counted WHERE station_id = ?", station)
    captive = one(
        """
        SELECT count(*) FROM (
            SELECT customer_id FROM counted GROUP BY customer_id
            HAVING count(DISTINCT station_id) = 1 AND max(station_id) = ?
        )
        """,
        station,
    )
    nearest = one("SELECT min(km) FROM distances WHERE a = ? OR b = ?", station, station)
    revenue = money(fees) - money(refunded)
    costs = fixed[station] + running
    margin = revenue - costs
    share = Decimal(100 * captive) / customers
    if margin >= 0:
        standing = "not in question"
    elif open_days < 180:
        standing = "too new"
    elif share >= 50 and nearest > 1.5:
        standing = "protected"
    else:
        standing = "candidate"
        until = leases[station]["lease_until"]
        free = sum(f"2027-{month:02d}" > until for month in range(1, 13))
        avoidable = 12 * recent[station] / 3 + free * Decimal(leases[station]["monthly_rent"])
        lost = (revenue - running) / open_days * 365
        candidates[station] = {
            "avoidable_costs": float(shown(avoidable)),
            "lost_contribution": float(shown(lost)),
            "net_saving": float(shown(avoidable - lost)),
        }
    lines.append(
        [station, name, open_days, bookings, shown(revenue), shown(costs), shown(margin),
         shown(margin / open_days), customers, shown(share, 1), standing]
    )

Path("analysis").mkdir(exist_ok=True)
with open("analysis/stations.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(
        "station_id station open_days bookings revenue costs margin margin_per_open_day "
        "customers captive_share standing".split()
    )
    writer.writerows(lines)
barred = [
    sorted(pair)
    for *pair, km in base.execute("SELECT a, b, km FROM distances")
    if km < 1 and set(pair) <= set(candidates)
]
decision = {"candidates": candidates, "barred_pairs": barred, "recommend": ["S7", "S8"]}
Path("analysis/decision.json").write_text(json.dumps(decision, indent=2) + "\n")
