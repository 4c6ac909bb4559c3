import csv
import re
from collections import defaultdict
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from openpyxl import Workbook, load_workbook

PENNY, NEAR = Decimal("0.01"), Decimal("0.05")
book = load_workbook("ledger/payables-2026-q3.xlsx", data_only=True)


def table(name, first):
    rows = [row for row in book[name].iter_rows(values_only=True)]
    head = next(n for n, row in enumerate(rows) if row[0] == first)
    return [dict(zip(rows[head], row)) for row in rows[head + 1 :] if row[0] is not None]


def plain(text):
    return " ".join(text.split()).casefold()


def key(number):
    return re.sub(r"[^A-Z0-9]", "", str(number).upper())


legal, ids, currency = {}, {}, {}
for row in table("Vendors", "Vendor id"):
    legal[row["Vendor id"]] = row["Legal name"]
    currency[row["Vendor id"]] = row["Currency"]
    for name in [row["Legal name"], *row["Also known as"].split(";")]:
        ids[plain(name)] = row["Vendor id"]
rate = {row["Month"]: Decimal(str(row["GBP for 1 EUR"])) for row in table("Rates", "Month")}

copies = defaultdict(list)
with open("inbox/portal-export-2026-09.csv", encoding="utf-8-sig", newline="") as file:
    for row in csv.DictReader(file, delimiter=";"):
        amount = Decimal(row["Gross"].replace(",", ""))
        dated = datetime.strptime(row["Invoice date"], "%d/%m/%Y")
        if row["Currency"] == "EUR":
            amount = (amount * rate["2026-09"]).quantize(PENNY, ROUND_HALF_UP)
        received = datetime.strptime(row["Received"], "%d/%m/%Y %H:%M")
        vendor = ids[plain(row["Vendor"])]
        copies[vendor, key(row["Invoice no"])].append((received, row["Invoice no"], dated, amount))
with open("inbox/paper-invoices-keyed-by-tom.csv", newline="") as file:
    for row in csv.DictReader(file):
        received = datetime.fromisoformat(row["keyed_on"])
        dated = datetime.fromisoformat(row["dated"])
        vendor = ids[plain(row["supplier"])]
        copies[vendor, key(row["number"])].append(
            (received, row["number"], dated, Decimal(row["gross_gbp"]))
        )
invoices = {}
for name, sent in copies.items():
    _, number, dated, amount = max(sent)
    if (dated.year, dated.month) == (2026, 9):
        invoices[name] = (number, amount)

posted, printed = defaultdict(list), {}
for row in table("Ledger", "Posting"):
    dated = row["Invoice date"]
    if (dated.year, dated.month) == (2026, 9) and row["Status"] in ("posted", "paid"):
        name = (row["Vendor id"], key(row["Invoice no"]))
        posted[name].append(Decimal(str(row["Gross"])).quantize(PENNY))
        printed.setdefault(name, str(row["Invoice no"]))

lines, taken = [], set()
for (vendor, number), (shown, amount) in invoices.items():
    found = posted.get((vendor, number), [])
    other, total = "", sum(found, Decimal(0))
    full = [one for one in found if abs(one - amount) <= NEAR]
    elsewhere = [
        name
        for name, amounts in posted.items()
        if name[1] == number
        and name[0] != vendor
        and name not in invoices
        and abs(sum(amounts) - amount) <= NEAR
    ]
    if len(full) > 1:
        kind = "posted twice"
    elif not found and elsewhere:
        kind, other = "wrong vendor", elsewhere[0][0]
        total = sum(posted[elsewhere[0]])
        taken.add(elsewhere[0])
    elif not found:
        kind = "not posted"
    elif abs(total - amount) > NEAR:
        kind = "amount differs"
    else:
        continue
    lines.append([vendor, shown, kind, amount, total, amount - total, other])
for name, amounts in posted.items():
    total = sum(amounts)
    if name not in invoices and name not in taken and total != 0:
        lines.append([name[0], printed[name], "no invoice", Decimal(0), total, -total, ""])
lines.sort(key=lambda line: (line[0], line[1]))

Path("out").mkdir(exist_ok=True)
with open("out/vendor_totals.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["vendor_id", "vendor", "invoiced", "posted", "difference"])
    for vendor in sorted({v for v, _ in invoices} | {v for v, _ in posted}):
        invoiced = sum((a for (v, _), (_, a) in invoices.items() if v == vendor), Decimal(0))
        booked = sum((sum(a) for (v, _), a in posted.items() if v == vendor), Decimal(0))
        writer.writerow(
            [vendor, legal[vendor], f"{invoiced:.2f}", f"{booked:.2f}", f"{invoiced - booked:.2f}"]
        )

result = Workbook()
sheet = result.active
sheet.title = "Discrepancies"
sheet.append(
    ["vendor_id", "invoice_no", "type", "invoiced", "posted", "difference", "other_vendor"]
)
for line in lines:
    sheet.append([*line[:3], *(float(amount) for amount in line[3:6]), line[6] or None])
sheet = result.create_sheet("Summary")
sheet.append(["type", "count", "difference"])
for kind in ("posted twice", "wrong vendor", "not posted", "amount differs", "no invoice"):
    chosen = [line[5] for line in lines if line[2] == kind]
    sheet.append([kind, len(chosen), float(sum(chosen, Decimal(0)))])
result.save("out/discrepancies.xlsx")
