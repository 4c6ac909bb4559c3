mkdir -p reports
python3 -B bin/rotate.py vault --today 2026-10-19 --dry-run > reports/dry-run-2026-10-19.json || [ $? -eq 1 ]
