"""Scenarios, worlds and domains: complete, plausible, and in the form that blocks rely on."""

import random
import re
from collections import Counter
from datetime import date, datetime
from decimal import Decimal

import pytest

from clawgym_data.compose.composer import draw_scenario, draw_world
from clawgym_data.compose.domain import DOMAINS, Dataset, Domain
from clawgym_data.compose.scenario import BENCH_SHARES, SUBCATEGORIES, TEAMS, shares
from clawgym_data.compose.skill import OPERATIONS
from clawgym_data.compose.values import Table
from clawgym_data.compose.world import REGISTERS, World, slug

TYPES = {
    "id": str,
    "name": str,
    "category": str,
    "text": str,
    "amount": Decimal,
    "count": int,
    "date": date,
    "time": datetime,
    "flag": bool,
}
READ_AS_OTHER = {"yes", "no", "on", "off", "true", "false", "none", "null", "~", ""}
domains = pytest.mark.parametrize("name", sorted(DOMAINS))


def world(domain: Domain, seed: int) -> World:
    name = domain.subcategories[seed % len(domain.subcategories)]
    return draw_world(random.Random(seed), SUBCATEGORIES[name])


def datasets(name: str, count: int = 4) -> list[tuple[World, Dataset]]:
    worlds = [world(DOMAINS[name], seed) for seed in range(count)]
    return [(drawn, DOMAINS[name].draw(drawn)) for drawn in worlds]


def test_nine_categories_with_43_subcategories() -> None:
    assert len(SUBCATEGORIES) == 43
    assert {entry.category for entry in SUBCATEGORIES.values()} == set(TEAMS)
    assert {entry.bench_category for entry in SUBCATEGORIES.values()} == set(BENCH_SHARES)


@pytest.mark.parametrize("name", sorted(SUBCATEGORIES))
def test_a_subcategory_is_complete(name: str) -> None:
    entry = SUBCATEGORIES[name]
    assert 4 <= len(set(entry.roles)) <= 8
    assert len(set(entry.organisations)) >= 3
    assert 6 <= len(set(entry.occasions)) <= 10
    assert len(set(entry.contexts)) >= 4
    assert set(entry.weights) <= OPERATIONS
    assert sum(name in domain.subcategories for domain in DOMAINS.values()) >= 2
    said = " ".join((*entry.occasions, *entry.contexts))
    assert not re.search(r"\b(Mon|Tues|Wednes|Thurs|Satur)day|\d", said)


def test_shares_of_the_benchmarks_categories_come_out() -> None:
    assert sum(BENCH_SHARES.values()) == 100
    drawn = Counter(draw_scenario(random.Random(seed)).bench_category for seed in range(4000))
    for category, share in BENCH_SHARES.items():
        assert drawn[category] / 40 == pytest.approx(share, abs=2.5)


def test_subcategories_without_a_domain_have_no_share() -> None:
    available = ["invoice-processing", "incident-response"]
    assert shares(available) == {"invoice-processing": 22.0, "incident-response": 21.0}


def test_worlds_have_people_addresses_and_habits() -> None:
    registers = Counter()
    for seed in range(300):
        chance = random.Random(seed)
        drawn = draw_world(chance, draw_scenario(chance))
        registers[drawn.register] += 1
        assert len({*drawn.people, drawn.name}) == len(drawn.people) + 1 >= 33
        assert len(set(drawn.emails.values())) == len(drawn.emails)
        assert all(re.fullmatch(r"[a-z.]+@[a-z0-9-]+\.example", a) for a in drawn.emails.values())
        assert drawn.team in drawn.teams
        assert not re.search(r"[{}]", drawn.persona.context)
        assert drawn.persona.context[0].isupper()
    assert set(registers) == set(REGISTERS)


def test_slugs_are_plain() -> None:
    assert slug("Zoë Weiß") == "zoe-weiss"
    assert slug("Jørgen  D’Aversa & Sons") == "jorgen-daversa-sons"


def test_there_are_at_least_60_domains_of_known_subcategories() -> None:
    assert len(DOMAINS) >= 60
    assert {s for domain in DOMAINS.values() for s in domain.subcategories} == set(SUBCATEGORIES)


@domains
def test_a_dataset_depends_on_its_world_alone(name: str) -> None:
    first, second = (DOMAINS[name].draw(world(DOMAINS[name], 5)) for _ in range(2))
    assert first == second


@domains
def test_tables_have_the_promised_shape(name: str) -> None:
    for _, dataset in datasets(name):
        assert 12 <= len(dataset.table) <= 60
        assert 4 <= len(dataset.table.columns) <= 8
        assert 1 <= len(dataset.related) <= 2
        nouns = [table.noun.plural for table in (dataset.table, *dataset.related)]
        assert len(set(nouns)) == len(nouns)
        assert len({c.kind for c in dataset.table.columns}) >= 4
        assert all(len(related) >= 3 for related in dataset.related)


@domains
def test_cells_have_the_type_of_their_column_and_survive_any_format(name: str) -> None:
    for _, dataset in datasets(name):
        for table in (dataset.table, *dataset.related):
            for column in table.columns:
                assert column.label
                for value in table.values(column.name):
                    assert type(value) is TYPES[column.kind], column.name
                    if isinstance(value, str):
                        assert value == value.strip()
                        assert not re.search(r"[|\n\t\"]", value)
                        assert value.lower() not in READ_AS_OTHER
                    if isinstance(value, Decimal):
                        assert value == round(value, column.decimals) >= 0


@domains
def test_keys_join_and_names_do_not_collide(name: str) -> None:
    for _, dataset in datasets(name):
        taken = {column.name for column in dataset.table.columns}
        for table in (dataset.table, *dataset.related):
            assert table.key
            keys = table.values(table.key)
            assert len({str(key).lower() for key in keys}) == len(keys)
            assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9./-]*", str(key)) for key in keys)
        for related in dataset.related:
            assert related.key
            assert set(dataset.table.values(related.key)) <= set(related.values(related.key))
            assert dataset.table.column(related.key).label == related.column(related.key).label
            others = {column.name for column in related.columns} - {related.key}
            assert not others & taken
            taken |= others


def grouping(table: Table) -> list[str]:
    most = max(2, len(table) // 2)
    return [
        c.name for c in table.of_kind("category") if 2 <= len(set(table.values(c.name))) <= most
    ]


@domains
def test_there_is_something_to_rank_to_group_and_to_filter(name: str) -> None:
    for _, dataset in datasets(name):
        table = dataset.table
        numbers = [table.values(c.name) for c in table.columns if c.numeric]
        assert any(len(set(values)) == len(values) for values in numbers)
        assert grouping(table)
        phrases = [p for c in table.columns for p in c.phrases.values()]
        assert len(phrases) >= 3
        assert not any("{" in p or "|" in p or p.endswith(".") for p in phrases)


@domains
def test_days_are_coherent(name: str) -> None:
    pairs = (
        ("begins_on", "ends_on"),
        ("first_day", "last_day"),
        ("arrives_on", "leaves_on"),
        ("lent_on", "due_on"),
        ("ordered_on", "due_on"),
        ("opened_on", "closed_on"),
        ("received_on", "answered_on"),
        ("planned_for", "delivered_on"),
    )
    for drawn, dataset in datasets(name):
        for table in (dataset.table, *dataset.related):
            names = {column.name for column in table.columns}
            for first, last in pairs:
                if {first, last} <= names:
                    assert all(row[first] <= row[last] for row in table)  # type: ignore[operator]
            for done in ("closed_on", "answered_on", "delivered_on"):
                if done in names:
                    assert all(row[done] <= drawn.today for row in table)  # type: ignore[operator]
