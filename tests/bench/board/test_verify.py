"""Submissions: an honest one is verified, each kind of forgery is refused for the right reason."""

import io
import json
import math
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from typer.testing import CliRunner

from clawgym_bench.board.add import add_run
from clawgym_bench.board.finding import Verification
from clawgym_bench.board.log_archive import LogLimits
from clawgym_bench.board.submission import pack_submission, unpack_to
from clawgym_bench.board.verify import verify_submission
from clawgym_bench.cli import app
from clawgym_bench.errors import InputError
from clawgym_bench.scorer import EVIDENCE_KEY
from clawgym_bench.taskset import task_set
from tests.bench.board.small_set import LETTER, played, small_set
from tests.scripted_model import follow, scripted_model

pytestmark = pytest.mark.bwrap

Forge = Callable[[EvalLog], None]


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(small_set(tmp_path_factory.mktemp("set")))


@pytest.fixture(scope="module")
def honest(tasks: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tasks, tmp_path_factory.mktemp("honest"), agent="oracle")


@pytest.fixture(scope="module")
def idle(tasks: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tasks, tmp_path_factory.mktemp("idle"), agent="noop")


ACTS = [
    ("read", {"path": "sales.csv"}),
    ("write", {"path": "out/totals.csv", "content": "vendor,total\nAster,6\nBirch,3\n"}),
    ("exec", {"command": "date +%s%N > out/when.txt"}),
    "The totals are in out/totals.csv.",
]


@pytest.fixture(scope="module")
def agent_run(tasks: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that gets one task of three right."""
    return played(tasks, tmp_path_factory.mktemp("agent"), scripted_model(follow(ACTS)))


@pytest.fixture
def forged(tmp_path: Path) -> Callable[[Path, Forge], Path]:
    def forge(log: Path, change: Forge) -> Path:
        data = read_eval_log(str(log))
        change(data)
        target = tmp_path / "forged.eval"
        write_eval_log(data, str(target))
        return target

    return forge


def verified(path: Path, tasks: str, **options: Any) -> Verification:
    (found,) = verify_submission(path, tasks=tasks, sandbox="bwrap", **options)
    return found


def reasons(found: Verification) -> set[str]:
    assert found.status == ("refused" if found.reasons else "verified")
    return {finding.kind for finding in found.reasons}


def samples(log: EvalLog) -> Iterator[Any]:
    yield from log.samples or []


def give_points(sample: Any) -> None:
    """As a forger would: the value and all that follows from it."""
    sample.scores["hybrid"].value = {
        "score": 1.0, "checks": 1.0, "rubric": math.nan, "success": 1.0,
    }  # fmt: skip


class TestHonest:
    def test_reference(self, honest: Path, tasks: str) -> None:
        found = verified(honest, tasks)
        assert found.findings == []
        assert (found.samples, found.graded_again, found.replayed) == (6, 6, 6)
        assert found.score == 1

    def test_packed(self, honest: Path, idle: Path, tasks: str, tmp_path: Path) -> None:
        packing = pack_submission([honest, idle], tmp_path / "s.zip", by="somebody")
        assert packing.leaks == ()
        first, second = verify_submission(tmp_path / "s.zip", tasks=tasks, sandbox="bwrap")
        assert (first.status, second.status) == ("verified", "verified")
        assert (first.score, second.score) == (1, 0)

    def test_a_model_with_tools(self, agent_run: Path, tasks: str) -> None:
        """What depends on the clock is noted and not held against it."""
        found = verified(agent_run, tasks)
        assert found.reasons == []
        assert {finding.kind for finding in found.findings} == {"replay"}
        assert found.score == pytest.approx(1 / 3)

    def test_without_replay(self, agent_run: Path, tasks: str) -> None:
        found = verified(agent_run, tasks, replayed=False)
        assert (found.status, found.replayed) == ("verified", 0)


class TestForged:
    def test_changed_score(self, idle: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            give_points(next(samples(log)))

        found = verified(forged(idle, change), tasks)
        assert reasons(found) == {"score"}
        assert "claims score 1.000" in found.reasons[0].detail
        assert "gives score 0.000" in found.reasons[0].detail

    def test_changed_mean(self, idle: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            assert log.results
            for score in log.results.scores:
                if score.name == "score":
                    score.metrics["mean"].value = 0.9

        found = verified(forged(idle, change), tasks)
        assert reasons(found) == {"score"}
        assert "mean score is 0.9000" in found.reasons[0].detail

    def test_changed_result(self, idle: Path, tasks: str, tmp_path: Path) -> None:
        pack_submission([idle], tmp_path / "s.zip")
        (folder,) = unpack_to(tmp_path / "s.zip", tmp_path / "results", tasks)
        row = json.loads((folder / "result.json").read_text())
        row["tasks"][0]["trials"][0]["score"] = 1.0
        (folder / "result.json").write_text(json.dumps(row))
        found = verified(folder, tasks)
        assert reasons(found) == {"score"}
        assert "result.json says 1.000, its log says 0.000" in found.reasons[0].detail

    def test_pages_of_another_run(
        self, idle: Path, honest: Path, tasks: str, tmp_path: Path
    ) -> None:
        mine = add_run(idle, tmp_path / "results", tasks=tasks)
        other = add_run(honest, tmp_path / "results", tasks=tasks)
        assert verified(mine, tasks).reasons == []
        shutil.copyfile(other / "trials.zip", mine / "trials.zip")
        found = verified(mine, tasks)
        assert reasons(found) == {"result"}
        assert "trials.zip" in found.reasons[0].detail

    def test_workspace_of_another_run(
        self, idle: Path, honest: Path, tasks: str, forged: Any
    ) -> None:
        """Files and scores of a good run under the transcript of a bad one."""
        good = {(s.id, s.epoch): s for s in samples(read_eval_log(str(honest)))}

        def change(log: EvalLog) -> None:
            for sample in samples(log):
                other = good[sample.id, sample.epoch]
                sample.store[EVIDENCE_KEY]["files"] = other.store[EVIDENCE_KEY]["files"]
                sample.scores = other.scores

        found = verified(forged(idle, change), tasks)
        assert "workspace" in reasons(found)
        (finding, *_) = [f for f in found.reasons if f.kind == "workspace"]
        assert "do not follow from the recorded calls" in finding.detail
        assert "out/totals.csv" in finding.detail

    def test_record_of_another_run(self, idle: Path, honest: Path, tasks: str, forged: Any) -> None:
        """The whole record swapped, calls and messages too."""
        good = {(s.id, s.epoch): s for s in samples(read_eval_log(str(honest)))}

        def change(log: EvalLog) -> None:
            for sample in samples(log):
                other = good[sample.id, sample.epoch]
                sample.store[EVIDENCE_KEY] = other.store[EVIDENCE_KEY]
                sample.scores = other.scores

        details = [f.detail for f in verified(forged(idle, change), tasks).reasons]
        assert "the stored tool calls are not those of the transcript" in details
        assert "the stored final messages are not those of the transcript" in details

    def test_workspaces_swapped_between_tasks(self, honest: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            found = [sample for sample in samples(log) if sample.epoch == 1]
            found[0].store[EVIDENCE_KEY] = found[1].store[EVIDENCE_KEY]

        assert "score" in reasons(verified(forged(honest, change), tasks))

    def test_dropped_task(self, honest: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            log.samples = [sample for sample in samples(log) if sample.id != "totals-2"]

        found = verified(forged(honest, change), tasks)
        assert reasons(found) == {"completeness"}
        assert found.reasons[0].detail == "1 of 3 tasks are missing: totals-2"

    def test_dropped_epoch(self, honest: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            log.samples = [s for s in samples(log) if (s.id, s.epoch) != ("totals-3", 2)]

        found = verified(forged(honest, change), tasks)
        assert reasons(found) == {"completeness"}
        assert "without exactly the epochs 1 to 2: totals-3" in found.reasons[0].detail

    def test_partial_run(self, tasks: str, tmp_path: Path) -> None:
        log = played(tasks, tmp_path, agent="oracle", ids="totals-1")
        found = verified(log, tasks)
        assert reasons(found) == {"completeness", "task-set"}
        assert "ids=totals-1" in str(found.reasons[0])

    def test_another_version_of_a_task(self, honest: Path, tasks: str, tmp_path: Path) -> None:
        shutil.copytree(tasks, tmp_path / "set")
        task = tmp_path / "set" / "totals-2" / "task.yaml"
        task.write_text(task.read_text() + "version: 2\n")
        found = verified(honest, str(tmp_path / "set"))
        assert reasons(found) == {"task", "task-set"}
        assert {f.task for f in found.reasons if f.kind == "task"} == {"totals-2"}

    def test_leaked_key(self, honest: Path, tasks: str, forged: Any, tmp_path: Path) -> None:
        key = "ghp_" + "a1B2" * 9

        def change(log: EvalLog) -> None:
            assert log.samples
            log.samples[0].metadata["note"] = f"token {key}"

        log = forged(honest, change)
        found = verified(log, tasks)
        assert reasons(found) == {"leak"}
        assert "totals-1, epoch 1.metadata.note: GitHub token ghp_" in found.reasons[0].detail
        assert key not in found.model_dump_json()
        packing = pack_submission([log], tmp_path / "s.zip")
        assert packing.manifest is None
        assert not (tmp_path / "s.zip").exists()
        assert key not in "".join(map(str, packing.leaks))

    def test_key_in_a_workspace(self, tasks: str, tmp_path: Path) -> None:
        key = "hf_" + "aB3d" * 9
        acts = [("exec", {"command": f"printf '{key[:9]}%s' {key[9:]} > notes.txt"}), "Done."]
        log = played(tasks, tmp_path, scripted_model(follow(acts)))
        leaks = pack_submission([log], tmp_path / "s.zip").leaks
        assert [leak.kind for leak in leaks] == ["Hugging Face token"]
        assert leaks[0].where.endswith("file notes.txt")

    def test_other_limits(self, honest: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            next(samples(log)).metadata["limits"]["messages"] = 500

        assert reasons(verified(forged(honest, change), tasks)) == {"limits"}

    def test_another_agent_version(self, honest: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            assert log.eval.metadata
            log.eval.metadata["agent_version"] = "0"

        assert reasons(verified(forged(honest, change), tasks)) == {"agent"}

    def test_reference_sold_as_a_model(self, honest: Path, tasks: str, forged: Any) -> None:
        """The oracle's log with a model's name, and the plan made to fit."""

        def change(log: EvalLog) -> None:
            assert log.eval.metadata
            log.eval.model = "example/great"
            log.eval.metadata["agent"] = "claw"
            log.plan.steps[1].solver = "claw"

        found = verified(forged(honest, change), tasks)
        assert reasons(found) == {"answers", "harness"}
        assert "of the reference" in found.reasons[0].detail

    def test_infrastructure_failures_are_listed(
        self, honest: Path, tasks: str, forged: Any
    ) -> None:
        from inspect_ai.log import EvalError

        def change(log: EvalLog) -> None:
            sample = next(samples(log))
            sample.scores = None
            sample.error = EvalError(
                message="the sandbox was lost", traceback="", traceback_ansi=""
            )

        found = verified(forged(honest, change), tasks)
        (note,) = [f for f in found.findings if f.kind == "infrastructure"]
        assert (note.task, note.epoch, note.note) == ("totals-1", 1, True)
        assert "1 of 6 trials" in found.reasons[0].detail

    def test_checks_that_are_said_to_have_passed(self, idle: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            for check in next(samples(log)).scores["hybrid"].metadata["checks"]:
                check["passed"] = True

        found = verified(forged(idle, change), tasks)
        assert reasons(found) == {"score"}
        assert "list of checks" in found.reasons[0].detail

    def test_a_summary_of_its_own(self, idle: Path, tasks: str, tmp_path: Path) -> None:
        """The board is made from summaries."""
        target = tmp_path / "forged.eval"
        with zipfile.ZipFile(idle) as old, zipfile.ZipFile(target, "w") as new:
            for name in old.namelist():
                body = old.read(name)
                if name == "summaries.json":
                    listed = json.loads(body)
                    listed[0]["metadata"]["category"] = "planning-knowledge"
                    body = json.dumps(listed).encode()
                if not name.startswith("_journal"):
                    new.writestr(name, body)
        found = verified(target, tasks)
        assert reasons(found) == {"result"}
        assert "another category" in found.reasons[0].detail

    def test_a_score_for_a_sandbox_that_died(self, honest: Path, tasks: str, forged: Any) -> None:
        """Such samples cannot be graded again, so they must have earned nothing."""

        def change(log: EvalLog) -> None:
            next(samples(log)).scores["hybrid"].metadata["fault"] = "memory"

        found = verified(forged(honest, change), tasks)
        assert reasons(found) == {"score"}
        assert "sandbox died" in found.reasons[0].detail


class TestJudged:
    """Verdicts cannot be checked without the judge; what can be is."""

    @pytest.fixture(scope="class")
    def hybrid(self, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
        folder = tmp_path_factory.mktemp("hybrid")
        rubric = [
            {
                "id": "tone",
                "criterion": "Is the message kind?",
                "levels": {0: "no", 0.5: "somewhat", 1: "yes"},
                "message": True,
            }
        ]
        tasks = small_set(folder / "set", rubric=rubric)
        grader = scripted_model(follow(['{"level": 0.5, "reason": "curt", "quotes": []}']))
        log = played(
            str(tasks), folder / "logs", scripted_model(follow(ACTS)),
            evaluated={"model_roles": {"grader": grader}},
        )  # fmt: skip
        return log, str(tasks)

    def test_verdicts_are_kept_and_said_to_be(self, hybrid: tuple[Path, str]) -> None:
        log, tasks = hybrid
        found = verified(log, tasks)
        assert found.reasons == []
        (note,) = [finding for finding in found.findings if finding.kind == "rubric"]
        assert "6 samples" in note.detail

    def test_a_level_that_is_not_there(self, hybrid: tuple[Path, str], forged: Any) -> None:
        log, tasks = hybrid

        def change(data: EvalLog) -> None:
            score = next(samples(data)).scores["hybrid"]
            score.metadata["rubric"][0]["level"] = 3.0
            checks = score.value["checks"]
            score.value |= {"rubric": 3.0, "score": round(0.7 * checks + 0.9, 6)}

        found = verified(forged(log, change), tasks)
        assert "score" in reasons(found)
        assert "that its rubric does not know" in found.reasons[0].detail

    def test_verdicts_left_out(self, hybrid: tuple[Path, str], forged: Any) -> None:
        """Points of the checks alone where the judge was not kind."""
        log, tasks = hybrid

        def change(data: EvalLog) -> None:
            score = next(samples(data)).scores["hybrid"]
            score.metadata |= {"rubric": [], "rubric_status": "no judge"}
            score.value |= {"rubric": math.nan, "score": score.value["checks"]}

        found = verified(forged(log, change), tasks)
        assert "has no verdicts" in found.reasons[0].detail


class TestCheating:
    def test_reads_of_hidden_files(self, tasks: str, tmp_path: Path) -> None:
        acts = [("exec", {"command": "cat /opt/set/expected/totals.csv"}), "There is none."]
        found = verified(played(tasks, tmp_path, scripted_model(follow(acts))), tasks)
        assert reasons(found) == {"hidden-read"}
        assert "expected/totals.csv" in found.reasons[0].detail

    def test_the_canary(self, tasks: str, tmp_path: Path) -> None:
        log = played(tasks, tmp_path, scripted_model(follow(["It says CANARY 2 a8c1f0."])))
        found = verified(log, tasks)
        assert {finding.task for finding in found.reasons} == {"totals-2"}
        assert reasons(found) == {"hidden-read"}

    def test_answers_in_the_system_prompt(self, agent_run: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            for sample in samples(log):
                sample.messages[0].content += f"\n\n## MEMORY.md\n\n{LETTER} Done. {LETTER}"

        assert reasons(verified(forged(agent_run, change), tasks)) == {"answers", "harness"}

    def test_an_edited_system_prompt(self, agent_run: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            for sample in samples(log):
                sample.messages[0].content += "\nThink twice."

        assert reasons(verified(forged(agent_run, change), tasks)) == {"harness"}

    def test_another_request(self, agent_run: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            for sample in samples(log):
                (user,) = [m for m in sample.messages if isinstance(m, ChatMessageUser)]
                user.content += " Use pandas."

        assert reasons(verified(forged(agent_run, change), tasks)) == {"harness"}

    def test_tools_of_its_own(self, agent_run: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            for sample in samples(log):
                for message in sample.messages:
                    if isinstance(message, ChatMessageAssistant):
                        for call in message.tool_calls or []:
                            call.function = "solve"
                    elif message.role == "tool":
                        message.function = "solve"

        assert "harness" in reasons(verified(forged(agent_run, change), tasks))

    def test_another_plan(self, agent_run: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            log.plan.steps.append(log.plan.steps[-1])

        assert reasons(verified(forged(agent_run, change), tasks)) == {"harness"}


class TestHostile:
    """What cannot be read ends with one message, and costs no more than its limits."""

    def rewritten(self, log: Path, tmp_path: Path, extra: dict[str, bytes]) -> Path:
        target = tmp_path / "hostile.eval"
        with zipfile.ZipFile(log) as old, zipfile.ZipFile(target, "w", 8) as new:
            for info in old.infolist():
                if info.filename not in extra:
                    new.writestr(info.filename, old.read(info))
            for name, body in extra.items():
                new.writestr(name, body)
        return target

    @pytest.mark.parametrize(
        ("name", "body", "said"),
        [
            ("../../evil.json", b"{}", "does not belong"),
            ("samples/a\x1b[31m_epoch_1.json", b"{}", "does not belong"),
            ("samples/totals-1_epoch_1.json", b"[" * 100_000, "not JSON"),
            ("samples/totals-1_epoch_1.json", b"[]", "not a sample"),
            ("samples/totals-1_epoch_1.json", b" " * (65 * 2**20) + b"{}", "more than"),
            ("header.json", b"{}", "cannot be read"),
            ("summaries.json", b"7", "cannot be read"),
            ("samples/totals-1_epoch_1.json", b'{"id": "totals-1"}', "read"),
        ],
    )
    def test_members(
        self, honest: Path, tasks: str, tmp_path: Path, name: str, body: bytes, said: str
    ) -> None:
        log = self.rewritten(honest, tmp_path, {name: body})
        with pytest.raises(InputError, match=said):
            verify_submission(log, tasks=tasks, sandbox="bwrap")

    def test_a_bomb_that_lies_about_its_size(
        self, honest: Path, tasks: str, tmp_path: Path
    ) -> None:
        log = self.rewritten(honest, tmp_path, {"reductions.json": b" " * 2**24 + b"[]"})
        raw = bytearray(log.read_bytes())
        size = (2**24 + 2).to_bytes(4, "little")
        while (at := raw.find(size)) >= 0:
            raw[at : at + 4] = (9).to_bytes(4, "little")
        log.write_bytes(raw)
        with pytest.raises(InputError, match=r"not an Inspect log|not JSON"):
            verify_submission(log, tasks=tasks, sandbox="bwrap")

    def test_attachments_that_multiply(self, honest: Path, tasks: str, tmp_path: Path) -> None:
        body = json.dumps({
            "id": "totals-1", "epoch": 1, "attachments": {"a" * 32: "x" * 2**20},
            "store": {"x": "attachment://" + "a" * 32 + " "} | {
                str(n): "attachment://" + "a" * 32 for n in range(400)
            },
        })  # fmt: skip
        log = self.rewritten(honest, tmp_path, {"samples/totals-1_epoch_1.json": body.encode()})
        with pytest.raises(InputError, match="too often"):
            verify_submission(log, tasks=tasks, sandbox="bwrap")

    def test_small_limits_hold(self, honest: Path, tasks: str) -> None:
        for limits in (LogLimits(archive=10), LogLimits(members=2), LogLimits(total=5000)):
            with pytest.raises(InputError, match=r"larger|more"):
                verify_submission(honest, tasks=tasks, sandbox="bwrap", limits=limits)

    def test_what_it_says_is_one_plain_line(
        self, honest: Path, tasks: str, forged: Any, tmp_path: Path
    ) -> None:
        def change(log: EvalLog) -> None:
            log.eval.model = "x\n::error::\x1b[31m![a](http://h.invalid/a) | b"

        log = forged(honest, change)
        words = ["board", "verify", str(log), "--tasks", tasks, "--sandbox", "bwrap"]
        done = CliRunner().invoke(app, [*words, "--summary", str(tmp_path / "s.md")])
        assert done.exit_code == 1
        assert "\x1b" not in done.output
        assert not any(line.startswith("::") for line in done.output.splitlines())
        text = (tmp_path / "s.md").read_text()
        assert "![" not in text
        assert "refused" in text

    def test_packs_with_links_and_strange_names(
        self, honest: Path, tasks: str, tmp_path: Path
    ) -> None:
        pack_submission([honest], tmp_path / "s.zip")
        packed = (tmp_path / "s.zip").read_bytes()
        link = zipfile.ZipInfo("x/log.eval")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        for info, body in ((link, "/etc/passwd"), (zipfile.ZipInfo("../up"), "x")):
            stream = io.BytesIO(packed)
            with zipfile.ZipFile(stream, "a") as archive:
                archive.writestr(info, body)
            (tmp_path / "h.zip").write_bytes(stream.getvalue())
            with pytest.raises(InputError, match=r"link|members"):
                verify_submission(tmp_path / "h.zip", tasks=tasks, sandbox="bwrap")

    def test_folders_with_links(self, honest: Path, tasks: str, tmp_path: Path) -> None:
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "log.eval").symlink_to(honest)
        (tmp_path / "run" / "result.json").write_text("{}")
        with pytest.raises(InputError, match="regular file"):
            verify_submission(tmp_path / "run", tasks=tasks, sandbox="bwrap")

    def test_a_log_exchanged_in_the_pack(
        self, honest: Path, idle: Path, tasks: str, tmp_path: Path
    ) -> None:
        pack_submission([idle], tmp_path / "s.zip")
        with (
            zipfile.ZipFile(tmp_path / "s.zip") as old,
            zipfile.ZipFile(tmp_path / "t.zip", "w") as new,
        ):
            for info in old.infolist():
                log = info.filename.endswith(".eval")
                new.writestr(info, honest.read_bytes() if log else old.read(info))
        with pytest.raises(InputError, match="not the log that was packed"):
            verify_submission(tmp_path / "t.zip", tasks=tasks, sandbox="bwrap")


class TestCommand:
    def run(self, *words: object) -> Any:
        return CliRunner().invoke(app, ["board", *map(str, words)])

    def test_submit_verify_unpack_mark(self, honest: Path, tasks: str, tmp_path: Path) -> None:
        pack, out = tmp_path / "s.zip", tmp_path / "out.json"
        done = self.run("submit", honest, "--out", pack, "--by", "somebody")
        assert done.exit_code == 0, done.output
        common = ("--tasks", tasks, "--sandbox", "bwrap")
        done = self.run("verify", pack, *common, "--json", out, "--unpack", tmp_path / "results")
        assert done.exit_code == 0, done.output
        assert "verified" in done.output
        assert [run["status"] for run in json.loads(out.read_text())] == ["verified"]
        (folder,) = (tmp_path / "results").iterdir()
        row = json.loads((folder / "result.json").read_text())
        assert "verified" not in row
        assert row["by"] == "somebody"
        assert self.run("verify", folder, *common, "--mark").exit_code == 0
        assert json.loads((folder / "result.json").read_text())["verified"]

    def test_a_refusal_is_exit_1(self, honest: Path, tasks: str, forged: Any) -> None:
        def change(log: EvalLog) -> None:
            log.samples = list(samples(log))[:4]

        done = self.run("verify", forged(honest, change), "--tasks", tasks, "--sandbox", "bwrap")
        assert done.exit_code == 1
        assert "refused" in done.output
        assert "totals-" in done.output

    def test_leaks_are_exit_1_and_can_be_accepted(
        self, honest: Path, tasks: str, forged: Any, tmp_path: Path
    ) -> None:
        def change(log: EvalLog) -> None:
            next(samples(log)).metadata["note"] = "write to ann@orchard.de"

        log = forged(honest, change)
        done = self.run("submit", log, "--out", tmp_path / "s.zip")
        assert done.exit_code == 1
        assert "e-mail address ann@orchard.de" in done.output
        accept = ("--accept", "ann@orchard.de")
        assert self.run("submit", log, "--out", tmp_path / "s.zip", *accept).exit_code == 0
        found = verified(tmp_path / "s.zip", tasks)
        assert [(f.kind, f.note) for f in found.findings] == [("leak", True)]

    def test_what_is_no_submission(self, tmp_path: Path) -> None:
        for name in ("nothing.zip", "text.zip"):
            (tmp_path / "text.zip").write_text("no")
            done = self.run("verify", tmp_path / name)
            assert isinstance(done.exception, InputError)


def test_the_sets_hash_is_that_of_the_log(honest: Path, tasks: str) -> None:
    header = read_eval_log(str(honest), header_only=True)
    assert (header.eval.metadata or {})["task_set_hash"] == task_set(tasks).content_hash
