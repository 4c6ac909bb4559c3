"""Runs one pure function on hostile bytes in a child process that can be stopped.

For parsers that cannot be bounded from inside (PDF content streams, big workbooks). The child is
`python -I` on this very file, which imports nothing of ours: it limits its own memory and CPU
time, loads one extractor by its path, gives it the bytes and writes its answer as JSON.

An extractor is a file beside this one with `extract(content, **options)` that returns JSON
values and raises `ValueError` with a sentence for a file that it does not accept.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

MEMORY_BYTES = 1 << 30
ANSWER_BYTES = 64 << 20
GRACE = 5  # seconds to start, and to sleep rather than to work


def extract_bounded(extractor: Path, content: bytes, *, seconds: int, **options: Any) -> Any:
    """What the extractor says of `content`; raises `Refused` when it says no or runs over."""
    from clawgym_bench.checks.limits import Refused

    request = json.dumps({"seconds": seconds, "options": options}).encode() + b"\n" + content
    command = [sys.executable, "-I", str(Path(__file__).resolve()), str(extractor)]
    try:
        done = subprocess.run(command, input=request, capture_output=True, timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        raise Refused(f"it takes more than {seconds} s to read") from None
    try:
        answer = json.loads(done.stdout)
        problem = answer.get("refused")
    except (ValueError, AttributeError):
        raise Refused(f"it cannot be read within {seconds} s and 1 GB of memory") from None
    if problem is not None:
        raise Refused(problem)
    return answer["value"]


def _child(extractor: str) -> None:
    import resource
    import runpy

    head, _, content = sys.stdin.buffer.read().partition(b"\n")
    request = json.loads(head)
    for limit, value in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, request["seconds"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    answer_stream, sys.stdout = sys.stdout, sys.stderr
    extract = runpy.run_path(extractor)["extract"]
    try:
        answer = json.dumps({"value": extract(content, **request["options"])})
        if len(answer) > ANSWER_BYTES:
            answer = json.dumps({"refused": "it expands to too much text"})
    except ValueError as error:
        answer = json.dumps({"refused": str(error)[:200]})
    except (MemoryError, RecursionError):
        answer = json.dumps({"refused": "it needs too much memory or nests too deeply"})
    answer_stream.write(answer)


if __name__ == "__main__":
    _child(sys.argv[1])
