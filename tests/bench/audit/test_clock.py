"""Gate *oracle* on another day: a reference that depends on today's date is found."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import pytest

from clawgym_bench.audit import oracle
from clawgym_bench.audit.clock import clock_at
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.play import play
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task
from tests.conftest import MakeTask

pytestmark = pytest.mark.bwrap
LATER = datetime(2031, 2, 28, 12, 0, tzinfo=UTC)


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    made = open_backend("bwrap")
    yield made
    await made.close()


async def printed(task: Task, backend: Backend, command: str, **options: object) -> str:
    """What a command prints in a sandbox whose clock shows LATER."""
    said: list[str] = []

    async def script(task: Task, session: int, act: object) -> str:
        said.append(await act("exec", {"command": command, **options}))  # type: ignore[operator]
        return ""

    clock = clock_at(LATER)
    await play(task, script, backend, outside=clock.files, exec_env=clock.env)
    return said[0].strip()


@pytest.mark.parametrize(
    "expression",
    [
        "datetime.date.today()",
        "datetime.datetime.now().date()",
        "datetime.datetime.today().date()",
        "datetime.datetime.utcnow().date()",
        "datetime.datetime.now(datetime.timezone.utc).date()",
        "time.strftime('%Y-%m-%d')",
        "datetime.date.fromtimestamp(time.time())",
        "datetime.date(*time.gmtime()[:3])",
        "datetime.date(*time.localtime(None)[:3])",
        "datetime.datetime.strptime(time.ctime(), '%c').date()",
        "datetime.datetime.strptime(time.asctime(), '%c').date()",
        "datetime.date.fromtimestamp(time.time_ns() / 10**9)",
    ],
)
async def test_python_sees_the_other_day(
    new_task: MakeTask, backend: Backend, expression: str
) -> None:
    command = f'python3 -W ignore -c "import datetime, time; print({expression})"'
    assert await printed(new_task(), backend, command) == "2031-02-28"


async def test_a_moment_that_is_given_stays(new_task: MakeTask, backend: Backend) -> None:
    command = (
        "python3 -c \"import time; print(time.strftime('%F', time.gmtime(0)))\"; "
        "date -u -d @0 +%F; date -d 2026-05-01 +%F"
    )
    assert (await printed(new_task(), backend, command)).split() == [
        "1970-01-01", "1970-01-01", "2026-05-01",
    ]  # fmt: skip


async def test_moved_moments_are_datetimes(new_task: MakeTask, backend: Backend) -> None:
    command = """python3 - <<'EOF'
from datetime import datetime, timedelta, date
import json, pickle
now = datetime.now()
assert isinstance(now, datetime) and isinstance(now, date)
assert isinstance(now + timedelta(1), datetime) and now > datetime(2031, 1, 1)
assert pickle.loads(pickle.dumps(now)) == now
assert datetime.fromisoformat("2026-01-02").year == 2026
assert repr(datetime(2026, 1, 2)) == "datetime.datetime(2026, 1, 2, 0, 0)"
print("fine")
EOF"""
    assert await printed(new_task(), backend, command) == "fine"


@pytest.mark.parametrize(
    ("command", "day"),
    [
        ("date +%F", "2031-02-28"),
        ("date -u +%F", "2031-02-28"),
        ("date -d tomorrow +%F", "2031-03-01"),
        ("date --date='-1 day' +%F", "2031-02-27"),
        ("bash -c 'date +%F'", "2031-02-28"),
        ("echo 'date +%F' > s.sh; bash s.sh", "2031-02-28"),
    ],
)
async def test_date_sees_the_other_day(
    new_task: MakeTask, backend: Backend, command: str, day: str
) -> None:
    assert await printed(new_task(), backend, command) == day


async def test_the_packages_of_the_sandbox_stay(new_task: MakeTask, backend: Backend) -> None:
    assert await printed(new_task(), backend, "python3 -c 'import openpyxl; print(1)'") == "1"


def dated(new_task: MakeTask, name: str, program: str) -> Task:
    today = [(date.today() + timedelta(days)).isoformat() for days in (0, 1)]
    check = {
        "id": "day",
        "cites": "amounts per vendor",
        "text": {"path": "out/day.txt", "contains": [today]},
    }
    return new_task(
        {"solution/files/out/totals.csv": None, "expected/totals.csv": None,
         f"solution/{name}": program},
        outputs=[{"path": "out/day.txt", "format": "text"}],
        checks=[check],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "program"),
    [
        (
            "run.py",
            "from datetime import date\nfrom pathlib import Path\nPath('out').mkdir()\n"
            "Path('out/day.txt').write_text(str(date.today()))\n",
        ),
        ("run.sh", "mkdir out\ndate +%F > out/day.txt\n"),
    ],
)
async def test_a_reference_that_depends_on_today_is_found(
    new_task: MakeTask, backend: Backend, name: str, program: str
) -> None:
    result = await oracle.run(Context(dated(new_task, name, program), backend))
    assert result.status == "failed"
    assert result.figures == {"here": 1.0, "elsewhere": 0.0}
    assert "2031-02-28" in result.findings[0].evidence


async def test_a_reference_that_does_not_is_fine_on_any_day(
    new_task: MakeTask, backend: Backend
) -> None:
    result = await oracle.run(Context(new_task(), backend))
    assert result.status == "passed"


async def test_the_clock_leaves_no_trace_in_workspace_and_calls(
    new_task: MakeTask, backend: Backend
) -> None:
    async def script(task: Task, session: int, act: object) -> str:
        await act("exec", {"command": "true", "env": {"A": "1"}})  # type: ignore[operator]
        return ""

    task, clock = new_task(), clock_at(LATER)
    evidence = await play(task, script, backend, outside=clock.files, exec_env=clock.env)
    assert evidence.calls[0].arguments == {"command": "true", "env": {"A": "1"}}
    assert set(evidence.snapshot.files) == set(task.inputs)
