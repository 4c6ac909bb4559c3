"""What was spent is remembered, each answer once, whatever a kill leaves."""

from pathlib import Path

import pytest

from clawgym_bench.errors import InputError
from clawgym_data.pipeline import BudgetSpent, Cost
from clawgym_data.write import Account, Budget

ONE = Cost(calls=1, input_tokens=10, output_tokens=5, dollars=0.5)


def test_an_answer_counts_once_however_often_it_is_used(tmp_path: Path) -> None:
    account = Account(tmp_path)
    for _ in range(2):
        account.add("0/0", ONE)
    account.add("0/1", ONE)
    again = Account(tmp_path)
    again.add("0/1", ONE)
    assert account.spent == again.spent == ONE + ONE


def test_a_line_that_was_cut_short_is_removed(tmp_path: Path) -> None:
    account = Account(tmp_path)
    account.add("0/0", ONE)
    account.add("1/0", ONE)
    path = tmp_path / "account.json.lines"
    content = path.read_bytes()
    path.write_bytes(content[:-9])
    again = Account(tmp_path)
    assert again.spent == ONE
    again.add("1/0", ONE)
    assert path.read_bytes() == content


@pytest.mark.parametrize("budget", [Budget(dollars=1.0), Budget(tokens=30)])
def test_a_budget_holds_over_resumptions(tmp_path: Path, budget: Budget) -> None:
    account = Account(tmp_path, budget)
    for key in ("0/0", "1/0"):
        account.check(key)
        account.add(key, ONE)
    for held in (account, Account(tmp_path, budget)):
        with pytest.raises(BudgetSpent):
            held.check("2/0")
        held.check("1/0")  # paid already


def test_a_budget_of_nothing_is_a_mistake() -> None:
    with pytest.raises(InputError, match="--budget-tokens 0"):
        Account(None, Budget(tokens=0))
