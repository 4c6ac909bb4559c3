import csv
import json
from pathlib import Path

from docx import Document

NAMES = {"KS-1": "Kestrel Solo", "KS-2": "Kestrel Duo", "KS-4": "Kestrel Base"}
NET = {"KS-1": 79.20, "KS-2": 111.20, "KS-4": 135.20}
FACTOR = {"g": 1, "kg": 1000, "mm": 0.1, "cm": 1, "s": 1, "min": 60, "W": 0.001, "kW": 1}
USED = ["weight", "packed_height", "boil_1l", "burner_power", "gas_per_litre"]

found = {}
with open("data/spec.csv", newline="") as file:
    for row in csv.DictReader(file):
        key = row["sku"], row["attribute"]
        if row["status"] == "released" and row["attribute"] in USED:
            if key not in found or row["revision"] > found[key][0]:
                found[key] = row["revision"], float(row["value"]) * FACTOR[row["unit"]]

products = []
for sku, name in NAMES.items():
    value = {attribute: found[sku, attribute][1] for attribute in USED}
    products.append({
        "name": name,
        "weight_g": round(value["weight"]),
        "packed_height_cm": round(value["packed_height"], 1),
        "boil_min": round(value["boil_1l"] / 60, 1),
        "power_kw": round(value["burner_power"], 1),
        "litres_per_cartridge": int(230 / value["gas_per_litre"]),
        "price_eur": round(NET[sku] * 1.25),
        "warranty_years": 5,
        "revisions": {attribute: found[sku, attribute][0] for attribute in USED},
    })
lighter = round(found["KS-2", "weight"][1] - found["KS-1", "weight"][1])
faster = round(found["KS-1", "boil_1l"][1] - found["KS-4", "boil_1l"][1])
more = products[1]["litres_per_cartridge"] - products[2]["litres_per_cartridge"]
Path("out").mkdir(exist_ok=True)
facts = {
    "products": products,
    "solo_lighter_g": lighter,
    "base_faster_s": faster,
    "duo_more_litres": more,
    "available_from": "2027-03-16",
    "voices": ["V05", "V10", "V04"],
}
Path("out/facts.json").write_text(json.dumps(facts, indent=2) + "\n")

sheet = Document()
sheet.add_heading("Kestrel stoves", 0)
sheet.add_paragraph(
    "Three gas stoves with one idea: you carry as little as the trip allows. "
    "They share the burner head and the spare parts, and differ in what they cook for."
)
sheet.add_heading("Which one for you", 1)
for text in (
    f"Kestrel Solo, if you walk alone. It is {lighter} g lighter than the Duo. "
    "In return you wait longest for your tea: 3.8 minutes for a litre.",
    f"Kestrel Duo, if there are two or three of you. It boils {more} litres more from one cartridge "
    "than the Base.",
    f"Kestrel Base, if you cook for a group. It boils a litre {faster} seconds faster than "
    "the Solo. It weighs 860 g, so share the carrying.",
):
    sheet.add_paragraph(text, style="List Bullet")
sheet.add_heading("The facts", 1)
rows = [
    ("Weight (g)", "weight_g"),
    ("Packed height (cm)", "packed_height_cm"),
    ("Boil time, 1 litre (min)", "boil_min"),
    ("Burner power (kW)", "power_kw"),
    ("Litres per 230 g cartridge", "litres_per_cartridge"),
    ("Price with VAT (EUR)", "price_eur"),
    ("Warranty (years)", "warranty_years"),
]
table = sheet.add_table(rows=1, cols=4)
table.style = "Table Grid"
for cell, text in zip(table.rows[0].cells, ["Feature", *NAMES.values()]):
    cell.text = text
for label, key in rows:
    for cell, text in zip(table.add_row().cells, [label, *(p[key] for p in products)]):
        cell.text = str(text)
sheet.add_heading("Voices from the trail", 1)
with open("notes/voices.csv", newline="") as file:
    voices = {row["id"]: row for row in csv.DictReader(file)}
for number in facts["voices"]:
    voice = voices[number]
    first = voice["name"].split()[0]
    sheet.add_paragraph(f"“{voice['words']}” {first}, {voice['used']}")
sheet.add_heading("Availability", 1)
sheet.add_paragraph("All three models are in 64 outdoor shops from Tuesday 16 March 2027.")
sheet.add_paragraph("The warranty is 5 years on every model and on the cases. Spare parts stay available for 10 years.")
sheet.save("out/kestrel-sheet.docx")
