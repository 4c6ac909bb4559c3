import pytest
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence
from clawgym_bench.checks.message import MessageCheck
from clawgym_bench.sandbox.snapshot import Snapshot

EVIDENCE = Evidence(Snapshot({}), messages=("The total is 12.", "All **done**: 3 files."))


def holds(**fields) -> bool:
    return all(finding.ok for finding in MessageCheck.model_validate(fields).run(EVIDENCE))


def test_the_last_message_is_meant_unless_a_session_is_named():
    assert holds(contains=["all done"], facts=[{"label": "files", "value": 3}])
    assert holds(session=1, facts=[{"label": "total", "value": 12}])
    assert not holds(session=1, contains=["done"])
    assert not holds(contains=["total"])


@pytest.mark.parametrize("messages", [(), ("",), (" \n",)])
def test_no_message_is_one_required_failure(messages):
    evidence = Evidence(Snapshot({}), messages=messages)
    (finding,) = MessageCheck(lacks=["x"], words={"max": 5}).run(evidence)
    assert (finding.ok, finding.required) == (False, True)


def test_a_session_that_never_was_is_one_required_failure():
    (finding,) = MessageCheck(session=3, contains=["x"]).run(EVIDENCE)
    assert (finding.ok, finding.required) == (False, True)
    assert finding.reason == "the final message of session 3 does not exist"


def test_odd_characters_do_not_matter():
    evidence = Evidence(Snapshot({}), messages=("a\0b \ud800 done",))
    assert all(finding.ok for finding in MessageCheck(contains=["done"]).run(evidence))


def test_a_check_that_asks_for_nothing_is_refused():
    with pytest.raises(ValidationError, match="nothing is asserted about the message"):
        MessageCheck(session=1)
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        MessageCheck(session=0, contains=["x"])
