import datetime as dt
import json
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks import schema as schema_check
from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.data import DataCheck
from clawgym_bench.checks.documents import load_yaml
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot

DOCUMENT = {
    "name": "Plan",
    "total": 1234.5,
    "paid": True,
    "items": [{"id": 1, "price": 2.5}, {"id": 2, "price": 3}],
    "tags": ["a", "b"],
    "empty": None,
}


def run(content, *, path: str = "d.json", hidden=None, **fields) -> list[Finding]:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    evidence = Evidence(
        Snapshot({path: data}), hidden={"expected.json": json.dumps(hidden).encode()}
    )
    return DataCheck.model_validate({"path": path, **fields}).run(evidence)


def failures(content, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


def share(findings: list[Finding]) -> float:
    if any(finding.required and not finding.ok for finding in findings):
        return 0.0
    counted = [finding.ok for finding in findings if not finding.required]
    return sum(counted) / len(counted) if counted else 1.0


def test_values_at_paths_are_compared_by_meaning():
    values = {
        "name": "plan",
        "total": "1,234.50",
        "paid": "yes",
        "items[0].price": 2.5,
        "items[?id==`2`] | [0].price": "3.00",
        "length(tags)": 2,
        "tags": ["A", "b"],
        "empty": None,
    }
    assert failures(DOCUMENT, values=values) == []
    assert failures(DOCUMENT, values={"total": 1234.6}) == ["d.json: total is 1234.5, not 1234.6"]
    assert failures(DOCUMENT, values={"missing": 1}) == ["d.json: missing is null, not 1"]
    assert failures(DOCUMENT, values={"name": 1}, decimals=2)


def test_each_leaf_is_one_finding():
    findings = run(DOCUMENT, values={"items": [{"id": 1, "price": 9}, {"id": 2, "price": 3}]})
    assert share(findings) == 3 / 4
    findings = run({"items": [{"id": 1}]}, values={"items": [{"id": 1, "x": [1, 2]}, {"id": 2}]})
    assert share(findings) == 1 / 4


def test_equal_documents():
    other = {key: DOCUMENT[key] for key in reversed(DOCUMENT)}
    assert failures(other, equals="expected.json", hidden=DOCUMENT) == []
    for change in (
        {"name": "Plane"},
        {"total": 1234.51},
        {"paid": False},
        {"items": DOCUMENT["items"][:1]},
        {"items": DOCUMENT["items"][::-1]},
        {"tags": ["b", "a"]},
        {"tags": ["a", "b", "b"]},
        {"tags": "a, b"},
        {"more": 1},
        {"empty": 0},
    ):
        assert failures(DOCUMENT | change, equals="expected.json", hidden=DOCUMENT)
    without = {key: value for key, value in DOCUMENT.items() if key != "name"}
    assert failures(without, equals="expected.json", hidden=DOCUMENT)
    assert failures(DOCUMENT | {"Name": "Plan"}, equals="expected.json", hidden=DOCUMENT) == [
        "d.json: Name does not belong there"
    ]


def test_order_is_free_where_it_is_said():
    other = DOCUMENT | {"tags": ["b", "a"], "items": DOCUMENT["items"][::-1]}
    fields = {"equals": "expected.json", "hidden": DOCUMENT}
    assert failures(other, unordered=True, **fields) == []
    assert len(failures(other, unordered=["tags"], **fields)) == 4
    assert failures(other, unordered=["tags", "items"], **fields) == []
    assert failures(DOCUMENT | {"tags": ["b", "b"]}, unordered=True, **fields)
    assert failures(other, values={"tags": ["a", "b"]}, unordered=["tags"]) == []
    assert failures(other, values={"tags": ["a", "b"]})
    grouped = {"groups": [{"members": ["b", "a"]}, {"members": ["c"]}]}
    hidden = {"groups": [{"members": ["a", "b"]}, {"members": ["c"]}]}
    fields = {"equals": "expected.json", "hidden": hidden}
    assert failures(grouped, unordered=["groups[].members"], **fields) == []
    assert failures(grouped, **fields)


def test_a_nearly_right_element_of_a_free_list_keeps_its_right_leaves():
    found = [{"id": 2, "v": 2}, {"id": 1, "v": 9}]
    expected = [{"id": 1, "v": 1}, {"id": 2, "v": 2}]
    findings = run(found, equals="expected.json", hidden=expected, unordered=True)
    assert share(findings) == 3 / 4


def test_rounding_by_expression_and_by_key():
    assert failures(DOCUMENT, values={"total": 1234.46}, decimals=1) == []
    assert failures(DOCUMENT, values={"total": 1234.46}, decimals={"total": 1}) == []
    hidden = DOCUMENT | {"items": [{"id": 1, "price": 2.49}, {"id": 2, "price": 3.01}]}
    fields = {"equals": "expected.json", "hidden": hidden}
    assert failures(DOCUMENT, decimals={"price": 1}, **fields) == []
    assert len(failures(DOCUMENT, decimals={"id": 1}, **fields)) == 2


def test_any_of_several_values_will_do():
    wanted = {"name": ["Design", "Plan"], "total": [1234.46, 7], "tags": [["b", "a"], ["c"]]}
    fields = {"any_of": wanted, "decimals": 1, "unordered": True}
    assert failures(DOCUMENT, **fields) == []
    assert len(failures(DOCUMENT, any_of=wanted)) == 2
    assert failures(DOCUMENT, any_of={"name": ["Design", "Plans"]}) == [
        'd.json: name is "Plan", not "Design" or "Plans"'
    ]
    assert share(run(DOCUMENT, any_of={"name": ["x"], "total": [1234.5]})) == 1 / 2
    check = DataCheck(path="d.json", any_of={"a.b": [1, 2]})
    assert check.affirms()
    assert set(check.literals()) == {"a", "b"}
    assert not DataCheck(path="d.json", any_of={"a": [1, None]}).affirms()


def test_case_counts_where_it_is_said():
    assert failures(DOCUMENT, values={"name": "plan", "total": "1,234.50"}) == []
    assert failures(DOCUMENT, values={"name": "plan"}, exact=True)
    assert failures(DOCUMENT, any_of={"name": ["plan", "PLAN"]}, exact=True)
    values = {"name": "Plan", "total": 1234.50, "paid": True}
    assert failures(DOCUMENT, values=values, any_of={"tags": [["a", "b"]]}, exact=True) == []
    assert failures(DOCUMENT, values={"total": 1234.46}, decimals=1, exact=True) == []
    fields = {"equals": "expected.json", "hidden": DOCUMENT, "exact": True}
    assert failures(DOCUMENT, **fields) == []
    assert len(failures(DOCUMENT | {"name": "plan"}, **fields)) == 1
    assert failures({"file": "/workspace/a/b"}, values={"file": "a/b"}, exact=True)


def test_each_file_that_fits_a_pattern_must_hold():
    check = DataCheck(path="out/*.json", values={"a": 1})
    files = {"out/one.json": b'{"a": 1}', "out/two.json": b'{"a": 1}', "out/x/z.json": b"{"}
    assert all(finding.ok for finding in check.run(Evidence(Snapshot(files))))
    found = check.run(Evidence(Snapshot(files | {"out/two.json": b'{"a": 2}'})))
    assert [finding.reason for finding in found if not finding.ok] == [
        "out/two.json: a is 2, not 1"
    ]
    (none,) = check.run(Evidence(Snapshot({})))
    assert (none.ok, none.required) == (False, True)


def test_a_flood_of_entries_earns_nothing():
    findings = run({"tags": [*"abcdefghij"]}, values={"tags": ["a", "b"]})
    assert share(findings) == 0


def test_paths_may_be_relative_or_absolute():
    found = {"file": "/workspace/out/a.md"}
    assert failures(found, values={"file": "out/a.md"}) == []
    assert failures(found, values={"file": "out/b.md"})


def test_lengths_keys_and_absence():
    assert failures(DOCUMENT, lengths={"items": 2, "name": {"max": 4}}) == []
    assert failures(DOCUMENT, lengths={"items": {"min": 3}, "total": 1}) == [
        "d.json: items has length 2, length at least 3 wanted",
        "d.json: total is 1234.5, length 1 wanted",
    ]
    assert failures(DOCUMENT, keys={"@": list(DOCUMENT), "items": ["price", "id"]}) == []
    assert failures(DOCUMENT, keys={"items": ["id"]})
    assert failures({"items": [{"id": 1}, None]}, keys={"items": ["id"]})
    assert failures({}, keys={"items": ["id"]})
    assert failures(DOCUMENT, lacks=["empty", "nothing", "items[?price > `5`]"]) == []
    assert failures(DOCUMENT, lacks=["name"]) == ['d.json: name finds "Plan", nothing wanted']


def test_schema():
    schema = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "pattern": "^[A-Z]"},
            "tags": {"type": "array", "uniqueItems": True},
        },
    }
    assert failures(DOCUMENT, schema=schema) == []
    assert failures({"name": "plan"}, schema=schema)
    assert failures({"tags": [1, 1]}, schema=schema)
    assert not DataCheck.model_validate({"path": "d.json", "schema": schema}).affirms()
    findings = run({"name": 3}, schema=schema)
    assert share(findings) == 0


def test_the_same_in_yaml_toml_and_json_lines():
    toml = b'name = "Plan"\nday = 2026-03-01\n[items]\nprice = 2.50\n'
    values = {"name": "plan", "day": "2026-03-01", "items.price": 2.5}
    assert failures(toml, path="d.toml", values=values) == []
    assert failures(yaml.safe_dump(DOCUMENT).encode(), path="d.yml", values={"total": 1234.5}) == []
    lines = b'{"a": 1}\n\n{"a": 2}\n'
    assert failures(lines, path="d.jsonl", values={"[*].a": [1, 2]}) == []
    said = failures(b'{"a": 1}\n{"a": \n', path="d.jsonl", values={"[*].a": [1, 2]})
    assert said[0].startswith("d.jsonl: line 2: it is not valid JSON")


def test_yaml_says_what_its_author_meant():
    content = b"time: 12:30\nzip: 01234\nday: 2026-03-01\nyes: no\nn: 1_000\nx: 0x1F\nv: 1.10\ne:\n"
    assert load_yaml(content) == {
        "time": "12:30",
        "zip": "01234",
        "day": "2026-03-01",
        "true": False,
        "n": 1000,
        "x": 31,
        "v": 1.1,
        "e": None,
    }
    assert load_yaml(b"a: &x {k: 1}\nb:\n  <<: *x\n  k: 2\n") == {"a": {"k": 1}, "b": {"k": 2}}


HOSTILE = {
    "laughs.yaml": b"a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
    + b"".join(
        b"a%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 12)
    ),
    "circle.yaml": b"a: &a [*a]\n",
    "circular merge.yaml": b"a: &a\n  <<: *a\n",
    "deep.yaml": b"[" * 50_000,
    "deeper.yaml": b"".join(b" " * n + b"a:\n" for n in range(1_500)),
    "twice.yaml": b"a: 1\na: 2\n",
    "python.yaml": b"!!python/object/apply:os.system ['true']\n",
    "two.yaml": b"a: 1\n---\na: 2\n",
    "tag.yaml": b"a: !Thing 1\n",
    "many.yaml": b"- a\n" * 400_000,
    "open.yaml": b"{a: " + b'"x' * 200_000,
    "keys.yaml": b"? " * 5_000,
    "int.yaml": b"a: " + b"9" * 100_000 + b"b\n? [1]\n: 2",
    "unhashable.yaml": b"? {a: 1}\n: 2\n",
    "deep.json": b"[" * 500_000 + b"]" * 500_000,
    "deepish.json": b"[" * 500 + b"]" * 500,
    "line.json": b'{"a": "' + b"x" * (100 << 20) + b'"}',
    "objects.json": b"[" + b'{"a":1},' * 1_500_000 + b"1]",
    "numbers.json": b"[" + b"1," * 5_000_000 + b"1]",
    "int.json": b'{"a": ' + b"9" * 100_000 + b"}",
    "float.json": b'{"a": 1e999}',
    "nan.json": b'{"a": NaN}',
    "infinity.json": b"[-Infinity]",
    "twice.json": b'{"a": 1, "a": 2}',
    "utf16.json": '{"a": 1}'.encode("utf-16"),
    "surrogate.json": b'{"a": "\\ud800"}',
    "empty.json": b"",
    "text.json": b"Here is the JSON you asked for",
    "dots.toml": b".".join([b"a"] * 400_000) + b" = 1",
    "inline dots.toml": b'"=" = 1\nb = {' + b".".join([b"a"] * 200_000) + b" = 1}",
    "quoted dots.toml": b"[" + b" . ".join([b'"a"'] * 200_000) + b"]",
    "deep.toml": b"a = " + b"[" * 100_000,
    "big.toml": b"a = 1\n" * 300_000,
    "words.toml": b"a" * 900_000,
    "quotes.toml": b"'" * 900_000,
    "tables.toml": b"".join(b"[a%d]\n" % n for n in range(60_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_fail_with_a_reason_in_time(name):
    started = time.monotonic()
    findings = run(HOSTILE[name], path=name, values={"a": "secret", "b": [1, 2]}, lacks=["c"])
    assert time.monotonic() - started < 10
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


def test_big_lists_are_compared_in_time():
    expected = [{"id": n, "v": str(n)} for n in range(1_200)]
    found = [{"id": str(item["id"]), "v": item["id"]} for item in reversed(expected)]
    for unordered in (True, False):
        started = time.process_time()
        run(found, equals="expected.json", hidden=expected, unordered=unordered)
        assert time.process_time() - started < 8


def test_a_slow_pattern_is_stopped(monkeypatch):
    monkeypatch.setattr(schema_check, "PATTERN_SECONDS", 0.3)
    schema = {"items": {"type": "string", "pattern": "^(a|aa)+$"}}
    started = time.process_time()
    assert failures(["a" * 500 + "b"] * 50, schema=schema)
    assert time.process_time() - started < 20


def test_reasons_can_be_written_anywhere():
    (reason,) = failures(b'{"a": "\\ud800\\u0007\\n"}', values={"a": "x"})
    assert reason.isprintable()
    assert reason.encode()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "nothing is asserted"),
        ({"path": "d.txt", "values": {"a": 1}}, "format"),
        ({"values": {"a[": 1}}, "JMESPath"),
        ({"values": {"Total (USD)": 1}}, "quoted"),
        ({"values": {"nosuch(a)": 1}}, "does not have"),
        ({"values": {"a": 1}, "lacks": ["a"]}, "both asked for and forbidden"),
        ({"values": {"a": [1]}, "unordered": ["b"]}, "not among"),
        ({"lacks": ["a"], "decimals": 2}, "add values, any_of or equals"),
        ({"schema": {"type": "strin"}}, "not a JSON Schema"),
        ({"schema": {"$ref": "http://example.org/x"}}, "leaves the schema"),
        ({"schema": {"$ref": "#/$defs/x"}}, "points to nothing"),
        ({"schema": {"pattern": "("}}, "pattern"),
        ({"equals": "expected.csv"}, "not json"),
        ({"value": {"a": 1}}, "Extra inputs"),
        ({"any_of": {"a": []}}, "at least 1 item"),
        ({"any_of": {"a": [1]}, "values": {"a": 1}}, "both in values and in any_of"),
        ({"any_of": {"a": [1]}, "lacks": ["a"]}, "both asked for and forbidden"),
        ({"lacks": ["a"], "exact": True}, "add values, any_of or equals"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        DataCheck.model_validate({"path": "d.json", **fields})


def test_what_junk_satisfies_does_not_affirm():
    for fields in (
        {"lacks": ["a"]},
        {"keys": {"@": ["a"]}},
        {"lengths": {"a": {"max": 3}}},
        {"lengths": {"a": {"min": 1}}},
        {"values": {"a": None}},
    ):
        assert not DataCheck.model_validate({"path": "d.json", **fields}).affirms()
    for fields in ({"values": {"a": 0}}, {"equals": "x.json"}, {"lengths": {"a": 2}}):
        assert DataCheck.model_validate({"path": "d.json", **fields}).affirms()


def test_literals_are_the_names_that_must_be_known():
    check = DataCheck(path="d.json", values={"a.b[0].c": {"d": 1}, "length(e)": 1})
    assert set(check.literals()) == {"a", "b", "c", "d", "e"}


def test_a_check_survives_a_trip_through_json():
    check = DataCheck.model_validate(
        {"path": "d.json", "values": {"a": dt.date(2026, 1, 2)}, "schema": {"type": "object"}}
    )
    assert DataCheck.model_validate_json(check.model_dump_json(by_alias=True)) == check


def test_a_broken_hidden_file_is_the_tasks_fault():
    evidence = Evidence(Snapshot({"d.json": b"{}"}), hidden={"e.json": b"{"})
    with pytest.raises(TaskFault):
        DataCheck(path="d.json", equals="e.json").run(evidence)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("abcXYZ 19.,-", max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_every_document_equals_itself_in_any_format(document):
    assert failures(document, equals="expected.json", hidden=document) == []
    fields = {"equals": "expected.json", "hidden": document, "unordered": True}
    assert failures(document, **fields) == []
    content = yaml.safe_dump(document, allow_unicode=True).encode()
    assert failures(content, path="d.yaml", **fields) == []


@settings(max_examples=150, deadline=None)
@given(st.lists(JSON, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_shuffled_lists_are_equal_when_order_is_free(items, chance):
    other = list(items)
    chance.shuffle(other)
    assert failures(other, equals="expected.json", hidden=items, unordered=True) == []


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["d.json", "d.yaml", "d.toml", "d.jsonl"]))
def test_no_bytes_make_it_raise(content, path):
    run(content, path=path, values={"a": 1}, lengths={"b": 1}, keys={"c": ["d"]}, lacks=["e"])


@settings(max_examples=200, deadline=None)
@given(st.text("-:[]{}&*!?<>|'\"# \nab1~%@`,", max_size=60))
def test_no_yaml_makes_it_raise(text):
    run(text.encode(), path="d.yaml", values={"a": 1})
