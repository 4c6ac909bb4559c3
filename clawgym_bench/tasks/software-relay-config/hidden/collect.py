"""Prints the settings in sites-v2/ as one JSON object by file name. Holds no answers."""

import json
import sys
from pathlib import Path

found = {}
for path in sorted(Path("sites-v2").glob("*.json")):
    try:
        found[path.stem] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        found[path.stem] = type(error).__name__
json.dump(found, sys.stdout)
