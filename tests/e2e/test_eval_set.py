"""`inspect eval-set`, killed in the middle and started again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries

from benchmarks.tiny_tasks import write_set

SAMPLES = 40


def finished(logs: Path) -> int:
    """How many samples the logs hold; 0 while there is none that can be read."""
    try:
        return sum(len(read_eval_log_sample_summaries(log)) for log in list_eval_logs(str(logs)))
    except Exception:
        return 0


@pytest.mark.bwrap
def test_a_killed_eval_set_goes_on_where_it_was(tmp_path: Path) -> None:
    tasks, logs = tmp_path / "tasks.jsonl", tmp_path / "logs"
    write_set(tasks, SAMPLES)
    command = [sys.executable, "-m", "inspect_ai", "eval-set", "clawgym_bench/imported"]
    command += ["-T", f"path={tasks}", "-T", "agent=oracle", "-T", "sandbox=bwrap"]
    command += ["--model", "none", "--log-dir", str(logs), "--display", "none"]
    command += ["--max-samples", "1", "--log-buffer", "1", "--retry-wait", "1"]
    first = subprocess.Popen(command, start_new_session=True, cwd=tmp_path)
    end = time.monotonic() + 60
    while not finished(logs):
        assert time.monotonic() < end
        assert first.poll() is None
        time.sleep(0.1)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    before = finished(logs)
    assert 0 < before < SAMPLES

    again = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    done = [log for name in list_eval_logs(str(logs)) if (log := read_eval_log(name)).samples]
    (log,) = [log for log in done if log.status == "success"]
    scores = [(sample.scores or {})["hybrid"].value for sample in log.samples or []]
    assert len({sample.id for sample in log.samples or []}) == len(scores) == SAMPLES
    assert all(isinstance(value, dict) and value["score"] == 1.0 for value in scores)
    kept = sum(str(s.completed_at) < log.eval.created for s in log.samples or [])
    assert kept > 0, "finished samples were played again"
