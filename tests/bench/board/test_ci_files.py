"""The files for GitHub and GitLab: valid by the published schemas, and their steps really run.

Neither service is here. Each step's shell code is taken out of its file and run by bash with the
options that the service uses, its expressions filled in.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from check_jsonschema.cli import main as check_schema
from click.testing import CliRunner

from clawgym_bench.board.add import add_run
from tests.bench.board.small_set import played, small_set

ROOT = Path(__file__).parents[3]
ACTION = ROOT / ".github/actions/gate/action.yml"
WORKFLOW = ROOT / ".github/workflows/verify-submission.yml"
BLOCKS = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/ci.md").read_text("utf-8"), re.DOTALL)
BIN = Path(sys.executable).parent


def block(name: str) -> str:
    (found,) = [text for text in BLOCKS if text.startswith(f"# {name}\n")]
    return str(found)


def valid(path: Path, schema: str, *more: str) -> None:
    done = CliRunner().invoke(check_schema, ["--builtin-schema", schema, *more, str(path)])
    assert done.exit_code == 0, done.output


class TestSchemas:
    def test_action(self) -> None:
        valid(ACTION, "vendor.github-actions")

    def test_workflow(self) -> None:
        valid(WORKFLOW, "vendor.github-workflows")

    def test_workflow_of_the_docs(self, tmp_path: Path) -> None:
        (tmp_path / "claw.yml").write_text(block(".github/workflows/claw.yml"))
        valid(tmp_path / "claw.yml", "vendor.github-workflows")

    def test_gitlab(self, tmp_path: Path) -> None:
        (tmp_path / "ci.yml").write_text(block(".gitlab-ci.yml"))
        valid(tmp_path / "ci.yml", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")

    def test_a_schema_that_refuses(self, tmp_path: Path) -> None:
        text = ACTION.read_text().replace("using: composite", "using: magic")
        (tmp_path / "action.yml").write_text(text)
        with pytest.raises(AssertionError):
            valid(tmp_path / "action.yml", "vendor.github-actions")

    def test_the_docs_use_inputs_that_exist(self) -> None:
        steps = yaml.safe_load(block(".github/workflows/claw.yml"))["jobs"]["gate"]["steps"]
        given = steps[-1]["with"]
        declared = yaml.safe_load(ACTION.read_text())["inputs"]
        assert set(given) <= set(declared)
        assert {name for name, value in declared.items() if value.get("required")} <= set(given)


def shell(code: str, folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """As GitHub runs `shell: bash`."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "PYTEST_"))}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", code],
        cwd=folder,
        env={**inherited, "PATH": f"{folder / 'bin'}:{BIN}:{os.environ['PATH']}", **env},
        capture_output=True,
        text=True,
        timeout=500,
    )


def filled(text: str, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> str:
    """Expressions of the kinds that the action uses."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name.startswith("inputs."):
            return inputs[name.removeprefix("inputs.")]
        return outputs[name.rpartition(".")[2]]

    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text)


class Action:
    """Runs the steps of the composite action."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.spec = yaml.safe_load(ACTION.read_text())
        defaults = {name: value.get("default", "") for name, value in self.spec["inputs"].items()}
        self.inputs = {**defaults, **{name.replace("_", "-"): v for name, v in inputs.items()}}
        self.folder = folder
        self.outputs: dict[str, str] = {}
        self.ran: list[str] = []

    def wanted(self, step: Mapping[str, Any]) -> bool:
        conditions = str(step.get("if", "")).split(" && ")
        for condition in filter(None, conditions):
            if condition == "always()":
                continue
            name, sign, value = re.fullmatch(r"inputs\.([\w-]+) (==|!=) '(.*)'", condition).groups()  # type: ignore[union-attr]
            if (self.inputs[name] == value) != (sign == "=="):
                return False
        return True

    def run(self) -> int:
        files = {name: self.folder / name for name in ("output", "summary")}
        for step in self.spec["runs"]["steps"]:
            if "run" not in step or not self.wanted(step):
                continue
            env = {
                name: filled(text, self.inputs, self.outputs)
                for name, text in step.get("env", {}).items()
            }
            env |= {
                "GITHUB_OUTPUT": str(files["output"]),
                "GITHUB_STEP_SUMMARY": str(files["summary"]),
                "RUNNER_TEMP": str(self.folder),
            }
            done = shell(step["run"], self.folder, env)
            self.ran.append(step["name"])
            self.said = done.stdout + done.stderr
            if files["output"].exists():
                lines = files["output"].read_text().splitlines()
                self.outputs |= dict(line.split("=", 1) for line in lines)
            if done.returncode:
                return done.returncode
        return 0


@pytest.mark.bwrap
@pytest.mark.slow
class TestAction:
    def play(self, folder: Path, agent: str, **inputs: str) -> tuple[int, Action]:
        folder.mkdir()
        action = Action(
            folder, model="none", sandbox="bwrap", install="", epochs="1",
            eval_args=f"-T agent={agent}", **inputs,
        )  # fmt: skip
        return action.run(), action

    def test_baseline_pass_and_fail(self, tmp_path: Path) -> None:
        code, first = self.play(tmp_path / "a", "oracle")
        assert code == 0, first.said
        assert "Compare" not in first.ran
        baseline = first.outputs["log"]
        assert Path(baseline).is_file()

        code, same = self.play(tmp_path / "b", "oracle", baseline=baseline)
        assert (code, same.outputs["verdict"]) == (0, "PASS"), same.said
        assert "PASS" in (tmp_path / "b/summary").read_text()

        code, worse = self.play(tmp_path / "c", "noop", baseline=baseline, allow="agent tasks")
        assert (code, worse.outputs["verdict"]) == (1, "FAIL"), worse.said
        gate = tmp_path / "c/clawgym-gate"
        assert json.loads((gate / "gate.json").read_text())["exit_code"] == 1
        assert "<failure" in (gate / "gate.xml").read_text()

        code, other = self.play(tmp_path / "d", "noop", baseline=baseline)
        assert (code, other.outputs["verdict"]) == (2, "INVALID"), other.said

    def test_a_baseline_that_is_not_there(self, tmp_path: Path) -> None:
        code, action = self.play(tmp_path / "a", "noop", baseline="nowhere")
        assert (code, action.outputs["verdict"]) == (2, "INVALID")
        assert "nowhere" in action.said

    def test_image_and_install_are_steps_of_their_own(self, tmp_path: Path) -> None:
        action = Action(tmp_path, model="none")
        wanted = [step["name"] for step in action.spec["runs"]["steps"] if action.wanted(step)]
        assert {"Install", "Build the sandbox image"} <= set(wanted)
        assert "Allow user namespaces" not in wanted


@pytest.mark.bwrap
@pytest.mark.slow
class TestGitLab:
    def test_script(self, tmp_path: Path) -> None:
        spec = yaml.safe_load(block(".gitlab-ci.yml"))
        base, smoke = spec[".claw"], spec["claw-smoke"]
        assert smoke["extends"] == ".claw"
        env = {**base["variables"], **smoke["variables"], "MODEL": "none", "SANDBOX": "bwrap"}
        env |= {"EPOCHS": "1", "BASELINE": str(tmp_path / "baseline")}
        options = env["EVAL_OPTIONS"]
        evaluate, compare = base["script"]

        for agent, code in (("oracle", 2), ("oracle", 0), ("noop", 2)):
            shutil.rmtree(tmp_path / "claw", ignore_errors=True)
            env["EVAL_OPTIONS"] = f"{options} -T agent={agent}"
            done = shell("\n".join([base["before_script"][1], evaluate]), tmp_path, env)
            assert done.returncode == 0, done.stderr
            done = shell(compare, tmp_path, env)
            assert done.returncode == code, done.stdout + done.stderr
            if not (tmp_path / "baseline").exists():
                (log,) = (tmp_path / "claw/logs").glob("*.eval")
                add_run(log, tmp_path, name="baseline")
        assert (tmp_path / base["artifacts"]["reports"]["junit"]).is_file()


@pytest.mark.bwrap
@pytest.mark.slow
class TestWorkflow:
    """The steps between the checkouts and the artifact, on a repository made here."""

    @pytest.fixture(scope="class")
    def made(self, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
        folder = tmp_path_factory.mktemp("made")
        tasks = small_set(folder / "set")
        log = played(str(tasks), folder / "logs", agent="oracle")
        return tasks, add_run(log, folder / "results", tasks=str(tasks), name="honest")

    def repository(self, folder: Path, tasks: Path) -> Path:
        """A checkout as GitHub makes it, before the submission is added. The command is led to a
        small set instead of the shipped one."""
        (folder / "bin").mkdir()
        real = BIN / "clawgym-bench"
        shim = folder / "bin" / "clawgym-bench"
        shim.write_text(f'#!/bin/sh\nexec "{real}" "$@" --tasks "{tasks}" --sandbox bwrap\n')
        shim.chmod(0o755)
        repo = folder / "submission"
        (repo / "results").mkdir(parents=True)
        (repo / "README.md").write_text("A board.\n")
        self.git(repo, "init", "-q", "-b", "main")
        self.commit(repo)
        return repo

    def git(self, repo: Path, *words: str) -> None:
        names = ("-c", "user.name=t", "-c", "user.email=t@t.example")
        subprocess.run(["git", *names, *words], cwd=repo, check=True, capture_output=True)

    def commit(self, repo: Path) -> None:
        self.git(repo, "add", "-A")
        self.git(repo, "commit", "-q", "-m", "x")

    def steps(self, folder: Path, names: Sequence[str]) -> tuple[int, str]:
        spec = yaml.safe_load(WORKFLOW.read_text())
        assert spec["defaults"]["run"]["shell"] == "bash"
        said = ""
        for step in spec["jobs"]["verify"]["steps"]:
            if step.get("name") in names:
                done = shell(step["run"], folder, {"GITHUB_STEP_SUMMARY": str(folder / "summary")})
                said += done.stdout + done.stderr
                if done.returncode:
                    return done.returncode, said
        return 0, said

    STEPS = ("Find the runs", "Verify")

    def test_an_honest_one_and_a_forged_one(self, made: tuple[Path, Path], tmp_path: Path) -> None:
        tasks, honest = made
        repo = self.repository(tmp_path, tasks)
        shutil.copytree(honest, repo / "results" / "honest")
        self.commit(repo)
        code, said = self.steps(tmp_path, self.STEPS)
        assert code == 0, said
        (outcome,) = json.loads((tmp_path / "verification/honest.json").read_text())
        assert outcome["status"] == "verified"
        assert "verified" in (tmp_path / "summary").read_text()

        shutil.copytree(honest, repo / "results" / "forged")
        row = json.loads((honest / "result.json").read_text())
        row["tasks"][0]["trials"][0]["score"] = 0.5
        (repo / "results" / "forged" / "result.json").write_text(json.dumps(row))
        self.commit(repo)
        code, said = self.steps(tmp_path, self.STEPS)
        assert code == 1
        assert "::error::forged was not verified (exit code 1)" in said
        assert (tmp_path / "runs.txt").read_text() == "forged\n"

    @pytest.mark.parametrize(
        ("path", "said"),
        [
            ("README.md", "changes results/ only"),
            ("results/loose.json", "results/ holds folders"),
            ("results/a b/result.json", "results/ holds folders"),
            ("results/x\n::warning::y/result.json", "results/ holds folders"),
        ],
    )
    def test_other_changes(
        self, made: tuple[Path, Path], tmp_path: Path, path: str, said: str
    ) -> None:
        repo = self.repository(tmp_path, made[0])
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text("changed\n")
        self.commit(repo)
        code, output = self.steps(tmp_path, ("Find the runs",))
        assert code == 1
        assert said in output
        assert "\n::warning::" not in output
