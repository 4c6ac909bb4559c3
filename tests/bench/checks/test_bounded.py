import time

import pytest

from clawgym_bench.checks import bounded
from clawgym_bench.checks.bounded import extract_bounded
from clawgym_bench.checks.limits import Refused


@pytest.fixture
def extractor(tmp_path):
    def write(body: str):
        path = tmp_path / "extractor.py"
        path.write_text(f"def extract(content, **options):\n    {body}\n")
        return path

    return write


def test_the_answer_comes_back(extractor):
    path = extractor("print('noise'); return [content.decode(), options['n']]")
    assert extract_bounded(path, b"a\nb", seconds=5, n=3) == ["a\nb", 3]


def test_a_refusal_is_told(extractor):
    with pytest.raises(Refused, match="too odd"):
        extract_bounded(extractor("raise ValueError('too odd')"), b"", seconds=5)


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import time; time.sleep(60)",
        "return 'x' * (2 << 30)",
        "return 'x' * (70 << 20)",
        "return [bytearray(1 << 20) for _ in range(4000)]",
        "import os; os._exit(0)",
        "import os; os.abort()",
        "raise KeyError('bug')",
        "return {1, 2}",
        "f = lambda n: f(n + 1)\n    return f(0)",
    ],
)
def test_whatever_goes_wrong_is_a_refusal_in_time(extractor, body, monkeypatch):
    monkeypatch.setattr(bounded, "GRACE", 1)
    started = time.monotonic()
    with pytest.raises(Refused):
        extract_bounded(extractor(body), b"", seconds=1)
    assert time.monotonic() - started < 15
