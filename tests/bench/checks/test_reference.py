"""docs/checks.md names every kind and every field that a task may use."""

import re
from pathlib import Path

import pytest

from clawgym_bench.checks import CHECKS

PAGE = (Path(__file__).parents[3] / "docs" / "checks.md").read_text()


@pytest.mark.parametrize("kind", sorted(CHECKS))
def test_the_page_names_the_kind_and_its_fields(kind: str) -> None:
    assert re.search(rf"^### .*`{kind}`", PAGE, re.MULTILINE), f"no section on {kind}"
    words = set(re.findall(r"`(?:\{)?([a-z_]+)", PAGE)) | set(re.findall(r"\b[a-z_]+\b", PAGE))
    fields = {field.alias or name for name, field in CHECKS[kind].model_fields.items()}
    assert fields <= words, f"{kind}: not described: {fields - words}"
