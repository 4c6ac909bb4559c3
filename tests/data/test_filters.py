"""Novelty, contamination, difficulty, balance, split: on small tasks and on composed ones."""

import random
from collections import Counter

import numpy as np
import pytest

from clawgym_bench.task import Persona, Provenance, Session, Task, write_lines
from clawgym_bench.taskset import load_bench
from clawgym_data.cli.filters import decontaminate, dedup
from clawgym_data.filters import (
    Bench,
    Fingerprint,
    Novelty,
    by_pass_rates,
    by_structure,
    fingerprint_of,
)
from clawgym_data.filters.fingerprint import hashes, jaccard, normal_words, plan_key
from clawgym_data.filters.personas import persona_key
from clawgym_data.pipeline.balance import CATEGORIES, Balance, Targets, Traits, apportioned
from clawgym_data.pipeline.split import Personas, split_of
from tests.conftest import MakeTask

REQUEST = (
    "Hi, please add up what each supplier has billed us this quarter, from `data/bills.csv`, and "
    "leave out everything that is still disputed. Sort the result by the total, the largest first."
)
RENAMED = REQUEST.replace("data/bills.csv", "in/papers.csv")
OTHER = (
    "The rota for next month is in the calendar file. Find every shift that nobody has taken, and "
    "write a short mail to the team that asks who could step in on which evening."
)


def say(new_task: MakeTask, text: str, name: str = "a", skeleton: str = "") -> Task:
    task = new_task()
    check = {**task.checks[0].model_dump(exclude_unset=True), "cites": text[:20]}
    return new_task(
        id=name,
        sessions=[Session(instruction=text).model_dump()],
        checks=[check],
        provenance=Provenance(kind="composed", skeleton=skeleton).model_dump(),
    )


def test_names_numbers_and_paths_do_not_count_as_words() -> None:
    first = normal_words("Ask Anna Berg for the 12 lists in `a/b.csv`, by 3 May.")
    other = normal_words("Ask Tom Wu for the 7,5 lists in `c.csv`, by 14 June.")
    assert first == other
    assert "‹name›" in first


def test_the_same_request_about_other_things_is_no_news(new_task: MakeTask) -> None:
    novelty = Novelty()
    novelty.take("a", "plan a", fingerprint_of(say(new_task, REQUEST)))
    found = novelty.refuses("plan b", fingerprint_of(say(new_task, RENAMED)))
    assert found is not None
    assert (found.rule, found.other, found.similarity) == ("words", "a", 1.0)
    assert novelty.refuses("plan b", fingerprint_of(say(new_task, OTHER))) is None


def test_the_same_plan_in_similar_words_is_no_news() -> None:
    same_plan = hashes(f"p{number}" for number in range(20))
    first = Fingerprint(hashes(f"w{number}" for number in range(100)), same_plan)
    words = hashes(f"w{number}" for number in range(40, 140))  # 60 of 140 shared: 0.43
    novelty = Novelty()
    novelty.take("a", "plan", first)
    found = novelty.refuses("plan", Fingerprint(words, same_plan))
    assert found is not None
    assert found.rule == "plan and words"
    elsewhere = hashes(f"q{number}" for number in range(20))
    assert novelty.refuses("plan", Fingerprint(words, elsewhere)) is None


def test_no_plan_may_hold_more_than_its_share() -> None:
    novelty = Novelty(most_per_plan=2)
    for number in range(2):
        prints = Fingerprint(hashes([f"{number} {n}" for n in range(30)]), hashes(["p"]))
        assert novelty.refuses("plan", prints) is None
        novelty.take(str(number), "plan", prints)
    fresh = Fingerprint(hashes(["x", "y"]), hashes(["p"]))
    found = novelty.refuses("plan", fresh)
    assert found is not None
    assert found.rule == "plan full"
    assert novelty.refuses("another", fresh) is None


def test_few_near_duplicates_slip_through() -> None:
    """Against all pairs: what is kept holds less than 1 % of near-duplicates."""
    chance = random.Random(5)
    texts: list[list[str]] = []
    for number in range(600):
        if texts and chance.random() < 0.5:
            text = list(chance.choice(texts))
            for _ in range(chance.randint(5, 40)):
                text[chance.randrange(len(text))] = f"n{number}-{chance.random()}"
        else:
            text = [f"t{number}-{at}" for at in range(60)]
        texts.append(text)
    novelty, kept = Novelty(), []
    plan = np.zeros(0, dtype=np.uint32)
    for number, text in enumerate(texts):
        prints = Fingerprint(hashes(text), plan)
        if novelty.refuses(str(number), prints) is None:
            novelty.take(str(number), str(number), prints)
            kept.append(prints.words)
    near = sum(
        any(jaccard(kept[later], kept[earlier]) >= 0.5 for earlier in range(later))
        for later in range(len(kept))
    )
    assert 300 < len(kept) < 600
    assert near / len(kept) < 0.01


def test_every_task_of_the_benchmark_is_recognized() -> None:
    bench = Bench()
    for task in load_bench():
        found = bench.check(task)
        assert found.sign == "13-grams"
        assert found.grams == found.all_grams


def test_one_borrowed_sentence_is_a_quotation(new_task: MakeTask) -> None:
    there = say(new_task, REQUEST, skeleton="s1")
    bench = Bench([there])
    quoting = say(new_task, f"{OTHER} {REQUEST}")
    assert bench.check(quoting).sign == "13-grams"
    assert bench.check(say(new_task, OTHER)).sign == ""
    assert bench.check(say(new_task, OTHER, skeleton="s1")).sign == "skeleton"
    assert bench.check(say(new_task, OTHER, skeleton="s2")).sign == ""


def test_difficulty_grows_with_the_work(new_task: MakeTask) -> None:
    levels = ["easy", "medium", "hard"]
    small = new_task(operations=["filter-rows"])
    files: dict[str, str | bytes | None] = {
        f"workspace/note-{number}.md": "x" * 900 for number in range(8)
    }
    large = new_task(
        files=files,
        operations=[f"operation-{number}" for number in range(7)],
        sessions=[{"instruction": "Do it."}, {"instruction": "Go on."}],
    )
    assert by_structure(small) == levels[0]
    assert by_structure(large) == levels[2]
    rates = by_pass_rates({"a": 1.0, "b": 0.5, "c": 0.0})
    assert rates == {"a": "easy", "b": "medium", "c": "hard"}


def test_categories_fill_up_to_the_shares_of_the_benchmark() -> None:
    assert apportioned(Targets().categories, 200) == CATEGORIES
    assert sum(apportioned(Targets().categories, 13_501).values()) == 13_501
    balance = Balance(Targets(difficulty={}), 200)
    chance, taken = random.Random(1), Counter[str]()
    for _ in range(3_000):
        category = chance.choice(sorted(CATEGORIES))
        traits = Traits(category=category, sessions=1, hybrid=False, difficulty="easy")
        if balance.refuses(traits) is None:
            balance.take(traits)
            taken[category] += 1
    assert taken == CATEGORIES
    assert not balance.left()
    unknown = Traits(category="gardening", sessions=1, hybrid=False, difficulty="easy")
    assert balance.refuses(unknown) == "category gardening has no share"


def test_a_split_depends_on_the_plan_alone_and_no_persona_stands_in_two() -> None:
    splits = Counter(split_of(f"plan {number}", 0.05, 0.1) for number in range(4_000))
    assert splits["train"] / 4_000 == pytest.approx(0.85, abs=0.02)
    assert splits["test"] / 4_000 == pytest.approx(0.1, abs=0.02)
    personas = Personas()
    anna = persona_key("Clerk  at the mill")
    assert anna == persona_key("clerk at the mill")
    personas.take(anna, "train")
    assert personas.elsewhere(anna, "test") == "train"
    assert personas.elsewhere(anna, "train") is None
    assert personas.elsewhere(persona_key(""), "test") is None


def test_tasks_without_skeleton_share_a_plan_by_their_shape(new_task: MakeTask) -> None:
    persona = Persona(role="clerk").model_dump()
    assert plan_key(new_task()) == plan_key(new_task(id="other", persona=persona))
    assert plan_key(new_task()) != plan_key(new_task(operations=["sort-rank"]))


def test_the_commands_filter_any_set(
    new_task: MakeTask, tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"a": REQUEST, "b": RENAMED, "c": OTHER}
    made = [say(new_task, text, name) for name, text in texts.items()]
    write_lines(made, str(tmp_path / "set.jsonl"))
    dedup(
        str(tmp_path / "set.jsonl"), out=str(tmp_path / "kept.jsonl"), words=0.5, plan=0.8,
        words_same_plan=0.35, most_per_plan=None, tell=True,
    )  # fmt: skip
    told = capsys.readouterr().out
    assert "b: words, like a (1.0)" in told
    assert "2 kept, 1 left out: 1 by words" in told
    write_lines(made[2:], str(tmp_path / "bench.jsonl"))
    decontaminate(
        str(tmp_path / "kept.jsonl"), out=None, against=str(tmp_path / "bench.jsonl"), tell=False
    )
    assert "1 kept, 1 left out: 1 by 13-grams" in capsys.readouterr().out
