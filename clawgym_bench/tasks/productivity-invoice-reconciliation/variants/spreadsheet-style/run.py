import csv
from openpyxl import Workbook, load_workbook

with open("out/vendor_totals.csv", newline="") as file:
    rows = list(csv.reader(file))
with open("out/vendor_totals.csv", "w", newline="", encoding="utf-8-sig") as file:
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow([name.replace("_", " ").title() for name in rows[0]])
    for row in rows[1:]:
        writer.writerow([row[0], row[1].upper(), *(f"£{float(cell):,.2f}".replace("£-", "-£") for cell in row[2:])])
book = load_workbook("out/discrepancies.xlsx")
new = Workbook()
summary = new.active
summary.title = "Summary"
for row in reversed(list(book["Summary"].iter_rows(min_row=2, values_only=True))):
    if summary.max_row == 1 and summary["A1"].value is None:
        for column, name in enumerate(["Type", "Count", "Difference"], 1):
            summary.cell(1, column, name)
    summary.append([row[0].capitalize(), row[1], row[2]])
sheet = new.create_sheet("Discrepancies")
sheet.append(["Discrepancies, September 2026"])
sheet.append([])
sheet.append(["Vendor ID", "Invoice no", "Type", "Invoiced", "Posted", "Difference", "Other vendor"])
rows = list(book["Discrepancies"].iter_rows(min_row=2, values_only=True))
rows.sort(key=lambda row: (row[0], row[2]))
for row in rows:
    number = int(row[1]) if row[1].isdigit() else row[1]
    sheet.append([row[0], number, row[2].title(), f"{row[3]:,.2f}", row[4], row[5], row[6] or ""])
new.save("out/discrepancies.xlsx")
