import json
from pathlib import Path

from docx import Document

facts = json.loads(Path("out/facts.json").read_text())
facts["available_from"] = "2027-03-16"
facts["products"] = [dict(reversed(p.items())) for p in facts["products"]]
Path("out/facts.json").write_text(json.dumps(dict(reversed(facts.items()))))
sheet = Document()
sheet.add_heading("KESTREL STOVES", 1)
sheet.add_heading("1. Which one for you?", 2)
sheet.add_paragraph(
    "You walk alone: take the Solo. Against the Duo it is lighter by 96 g. It is also the smallest, "
    "but a litre takes 3.8 minutes to boil, and nobody else is going to eat from it."
)
sheet.add_paragraph("You are two or three: take the Duo. You get three litres more out of a cartridge than with the Base.")
sheet.add_paragraph(
    "You are many: take the Base. It is 78 seconds faster to the boil than the Solo, thanks to 4.2 kW. "
    "Somebody has to carry the 860 grams. The price is the highest of the three as well."
)
sheet.add_heading("2. The facts", 2)
cells = [
    ["Feature", "Kestrel Solo", "Kestrel Duo", "Kestrel Base"],
    ["Weight (g)", "312", "408", "860"],
    ["Packed height (cm)", "7.6", "9.4", "12.8"],
    ["Boil time, 1 litre (min)", "3.8", "3.1", "2.5"],
    ["Burner power (kW)", "2.6", "3.1", "4.2"],
    ["Litres per 230 g cartridge", "19", "18", "15"],
    ["Price with VAT (EUR)", "99.00", "139.00", "€169"],
    ["Warranty (years)", "5", "5", "5"],
]
table = sheet.add_table(rows=8, cols=4)
for row, texts in zip(table.rows, cells):
    for cell, text in zip(row.cells, texts):
        cell.paragraphs[0].add_run(text).bold = text == "Feature"
sheet.add_heading("3. Voices from the trail", 2)
for text in (
    'Jonah, who uses the Kestrel Base: "We cook for eleven scouts and nobody waits for tea any more."',
    'Nils, Kestrel Duo: "It simmers low enough for rice, which my old one never did."',
    'Pia (Kestrel Solo): "It fits in the cup I already own, and I find the valve with gloves on."',
):
    sheet.add_paragraph(text, style="List Number")
sheet.add_heading("4. Availability", 2)
sheet.add_paragraph("In the shops, 64 of them, from 16 March 2027. The warranty runs for five years.")
sheet.save("out/kestrel-sheet.docx")
