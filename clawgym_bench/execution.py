"""Runs what checks want run: each case in a new sandbox made from the snapshot.

The sandbox is a grader's: no network, a fresh home, hidden files in a folder outside the
workspace, the interpreter isolated from the workspace. Expected results never enter it. For an
imported checker the result comes back through a private file, never through a stream that code of
the workspace could have written.
"""

import json
import secrets
from collections.abc import Sequence
from importlib import resources

from clawgym_bench.checks import Check, CommandOutcome
from clawgym_bench.checks.command import GRADING_FOLDER, Case, CommandCheck
from clawgym_bench.checks.reward import CHECKER, SCRIPT, RewardCheck
from clawgym_bench.errors import AgentFault, TaskFault
from clawgym_bench.sandbox.protocol import Backend, ExecResult, File, Sandbox, SandboxSpec
from clawgym_bench.sandbox.snapshot import Snapshot
from clawgym_bench.task.clawgym import PAYLOAD_VARIABLE
from clawgym_bench.task.model import Task

OUTPUT_LIMIT = 2 * 2**20
RUNNER = "run_checker.py"


async def run_commands(
    task: Task, snapshot: Snapshot, backend: Backend, messages: Sequence[str] = ()
) -> dict[str, list[CommandOutcome]]:
    """Outcomes by check id. Infrastructure failures are raised, never turned into an outcome."""
    outcomes: dict[str, list[CommandOutcome]] = {}
    for check in task.checks:
        if isinstance(check.body, CommandCheck):
            body = check.body
            outcomes[check.id] = [
                await _run_case(task, body, case, snapshot, backend) for case in body.cases
            ]
        elif isinstance(check.body, RewardCheck):
            outcomes[check.id] = [await _run_reward(task, check, snapshot, backend, messages)]
    return outcomes


def runs_something(task: Task) -> bool:
    return any(isinstance(check.body, CommandCheck | RewardCheck) for check in task.checks)


async def _grading_sandbox(task: Task, snapshot: Snapshot, backend: Backend) -> Sandbox:
    spec = SandboxSpec(workspace=task.workspace_path, user="grader", resources=task.resources)
    sandbox = await backend.create(spec)
    try:
        modes = {path: file.mode for path, file in task.workspace.items()}
        await sandbox.write(
            {path: File(body, modes.get(path, 0o755)) for path, body in snapshot.files.items()}
        )
    except BaseException:
        await sandbox.close()
        raise
    return sandbox


async def _run_case(
    task: Task, body: CommandCheck, case: Case, snapshot: Snapshot, backend: Backend
) -> CommandOutcome:
    sandbox = await _grading_sandbox(task, snapshot, backend)
    try:
        brought = {f"{GRADING_FOLDER}/{p.removeprefix('hidden/')}": p for p in body.hidden}
        brought |= case.files
        await sandbox.write(
            {target: File(task.files[path].content, 0o755) for target, path in brought.items()}
        )
        command = [part.replace("{hidden}", GRADING_FOLDER) for part in body.run_command]
        result = await sandbox.exec(
            [*command, *case.args],
            stdin=case.stdin.encode(),
            cwd=body.cwd,
            env={"PYTHONDONTWRITEBYTECODE": "1"},
            timeout=body.seconds,
            output_limit=OUTPUT_LIMIT,
        )
        await sandbox.stop()
        return _outcome(result, await sandbox.snapshot())
    except AgentFault as fault:
        # What ran is the agent's: it failed the case.
        return CommandOutcome(
            exit_code=137,
            stdout=b"",
            stderr=str(fault).encode(),
            timed_out=False,
            files=Snapshot({}),
        )
    finally:
        await sandbox.close()


def _outcome(result: ExecResult, files: Snapshot, stdout: bytes | None = None) -> CommandOutcome:
    return CommandOutcome(
        exit_code=result.exit_code,
        stdout=result.stdout if stdout is None else stdout,
        stderr=result.stderr,
        timed_out=result.timed_out,
        files=files,
    )


async def _run_reward(
    task: Task, check: Check, snapshot: Snapshot, backend: Backend, messages: Sequence[str]
) -> CommandOutcome:
    """Runs `check.py` for its sub-scores when there is one, else `reward.sh` for its number."""
    sandbox = await _grading_sandbox(task, snapshot, backend)
    try:
        files = {
            f"{GRADING_FOLDER}/{path}": f for path, f in task.files.items() if "reward/" in path
        }
        runner = resources.files("clawgym_bench").joinpath(RUNNER).read_bytes()
        payload = f"{GRADING_FOLDER}/payload.json"
        files[payload] = File(json.dumps(reward_payload(task, messages)).encode())
        await sandbox.write(files)
        private = f"{GRADING_FOLDER}/{secrets.token_hex(16)}"
        script = CHECKER if CHECKER in task.files else SCRIPT
        result = await sandbox.exec(
            [
                "python3",
                "-I",
                "-c",
                runner.decode(),
                f"{GRADING_FOLDER}/{script}",
                sandbox.workspace,
            ],
            stdin=private.encode(),
            cwd=GRADING_FOLDER,
            env={PAYLOAD_VARIABLE: payload, "PYTHONDONTWRITEBYTECODE": "1"},
            timeout=task.limits.grading_seconds,
        )
        await sandbox.stop()
        try:
            printed = await sandbox.read(private, limit=OUTPUT_LIMIT)
        except OSError:
            printed = b""
        return _outcome(result, Snapshot(files={}), printed)
    except AgentFault as fault:
        raise TaskFault(f"{check.id}: the checker ended its sandbox: {fault}") from fault
    finally:
        await sandbox.close()


def reward_payload(task: Task, messages: Sequence[str]) -> dict[str, object]:
    """What a payload-graded checker reads."""
    transcript: list[dict[str, str]] = []
    for number, message in enumerate(messages, 1):
        transcript.append({"role": "user", "content": task.request(number)})
        transcript.append({"role": "assistant", "content": message})
    return {
        "task_id": task.provenance.source.removeprefix("clawgym:"),
        "user_query": task.sessions[0].instruction,
        "metadata": {"category": task.category},
        "final_message": messages[-1] if messages else "",
        "transcript": transcript,
    }
