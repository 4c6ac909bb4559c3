import pytest
from pydantic import ValidationError

from clawgym_bench.checks import text
from clawgym_bench.checks.base import Evidence, ToolCall
from clawgym_bench.checks.tool_use import ToolUseCheck, arguments
from clawgym_bench.sandbox.snapshot import Snapshot

COPY = ToolCall(1, "exec", {"command": "cp a.txt b.txt"})
BAD_COPY = ToolCall(1, "exec", {"command": "cp a.txt b.txt"}, error="denied")
DELETE = ToolCall(1, "exec", {"command": "rm a.txt"})
WRITE = ToolCall(2, "write", {"path": "é.md", "content": "x"})


def run(*calls: ToolCall, **fields):
    check = ToolUseCheck.model_validate(fields)
    return check.run(Evidence(Snapshot({}), calls=calls))


def holds(*calls: ToolCall, **fields) -> bool:
    return all(finding.ok for finding in run(*calls, **fields))


def test_a_forbidden_call_may_not_even_be_tried():
    never = [{"tool": ["exec", "process"], "matches": r"\brm\b"}]
    assert holds(COPY, WRITE, never=never)
    assert not holds(COPY, DELETE, never=never)
    assert not holds(ToolCall(1, "exec", {"command": "rm x"}, error="denied"), never=never)
    (finding,) = run(never=never)
    assert (finding.ok, finding.required) == (True, True)


def test_a_call_is_known_by_tool_arguments_and_session():
    assert not holds(WRITE, never=[{"tool": "write"}])
    assert not holds(WRITE, never=[{"matches": r'"path": "É\.md"'}])
    assert not holds(WRITE, never=[{"tool": "write", "session": 2}])
    assert holds(WRITE, never=[{"tool": "write", "session": 1}])
    assert holds(WRITE, never=[{"tool": "read"}, {"tool": "write", "matches": "a.txt"}])


def test_one_call_must_come_before_another():
    before = [{"first": {"tool": "exec", "matches": "cp"}, "then": {"matches": r"\brm\b"}}]
    assert holds(COPY, DELETE, DELETE, before=before)
    assert holds(WRITE, before=before)
    assert not holds(DELETE, COPY, before=before)
    assert not holds(BAD_COPY, DELETE, before=before)
    assert not holds(ToolCall(1, "exec", {"command": "cp a b; rm a"}), before=before)


def test_a_required_call_is_made_and_does_not_fail():
    required = [{"tool": "exec", "matches": "cp"}]
    assert holds(DELETE, COPY, required=required)
    assert not holds(BAD_COPY, required=required)
    (finding,) = run(BAD_COPY, required=required)
    assert finding.reason == "exec with 'cp' only failed: denied"
    assert not holds(required=required)


def test_only_required_calls_affirm():
    assert ToolUseCheck(required=[{"tool": "a"}], never=[{"tool": "b"}]).affirms()
    assert not ToolUseCheck(never=[{"tool": "b"}]).affirms()
    order = {"first": {"tool": "a"}, "then": {"tool": "b"}}
    assert not ToolUseCheck(before=[order]).affirms()


def test_arguments_have_one_form():
    assert arguments(ToolCall(1, "t", {"b": "é", "a": [1, None]})) == '{"a": [1, null], "b": "é"}'


def test_hostile_arguments_are_handled(monkeypatch):
    monkeypatch.setattr(text, "PATTERN_SECONDS", 0.3)
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    ring: dict = {}
    ring["self"] = ring
    big = "x" * 3_000_000 + "needle"
    for value in (deep, ring, {1: 2}, object(), float("nan"), "\ud800", b"\xff"):
        assert holds(ToolCall(1, "t", {"a": value}), never=[{"matches": "needle"}])
    assert not holds(ToolCall(1, "t", {"a": big}), never=[{"matches": "needle"}])
    (finding,) = run(ToolCall(1, "t", {"a": "a" * 5000 + "b"}), never=[{"matches": "(a+)+$"}])
    assert not finding.ok
    assert "took over" in finding.reason


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "nothing is asserted"),
        ({"never": [{}]}, "a call needs `tool`, `matches` or both"),
        ({"never": [{"session": 1}]}, "a call needs"),
        ({"never": [{"matches": "("}]}, "not a regular expression"),
        ({"never": [{"tool": "a", "session": 0}]}, "greater than or equal to 1"),
        ({"never": [{"tool": [""]}]}, "may not be blank"),
        ({"before": [{"first": {"tool": "a"}}]}, "Field required"),
    ],
)
def test_a_wrong_check_says_what_is_wrong(fields, message):
    with pytest.raises(ValidationError, match=message):
        ToolUseCheck.model_validate(fields)
