"""Facts: a value beside its label, however it is written; an exchange is noticed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.facts import Fact
from clawgym_bench.checks.text import TextCheck
from clawgym_bench.sandbox.snapshot import Snapshot


def run(text: str, facts: list[dict]) -> list[Finding]:
    check = TextCheck.model_validate({"path": "a.md", "facts": facts})
    return check.run(Evidence(Snapshot({"a.md": text.encode()})))


def stated(text: str, *facts: dict) -> list[bool]:
    return [finding.ok for finding in run(text, list(facts))]


ALPHA = {"label": "Alpha", "value": 12}
BETA = {"label": "Beta", "value": 30}
STATEMENTS = [
    "Alpha: 12\nBeta: 30",
    "- **Alpha**: 12\n- **Beta**: 30",
    "Alpha 12, Beta 30",
    "Alpha=12; Beta=30",
    "Alpha (12) and Beta (30)",
    "12 for Alpha and 30 for Beta",
    "Alpha and Beta were 12 and 30, respectively.",
    "Alpha rose to 12 while 30 went to Beta",
    "In 2024, Alpha had 12 in 3 regions, and Beta 30.",
    "Alpha, up 5%, reached 12, and Beta, up 3%, reached 30",
    "Total 42: 12 for Alpha and 30 for Beta",
    "Alpha had twelve; Beta had thirty",
    "Alpha:\n12\n\nBeta:\n30",
    "## Alpha\n\n12\n\n## Beta\n\n30",
    "**Alpha**\n12\n**Beta**\n30",
    "| Name | N |\n|---|---|\n| Alpha | 12 |\n| Beta | 30 |",
    "| Alpha | Beta |\n|---|---|\n| 12 | 30 |",
    "Alpha\t12\nBeta\t30",
    "Alpha ..... 12.00\nBeta ..... 30.00",
    "The value that was measured for the region\nAlpha is\n12. The value of Beta is\n30.",
]


def exchanged(text: str) -> str:
    pairs = [("12", "30"), ("twelve", "thirty")]
    for one, other in pairs:
        text = text.replace(one, "@").replace(other, one).replace("@", other)
    return text


@pytest.mark.parametrize("text", STATEMENTS)
def test_values_are_found_beside_their_labels(text):
    assert stated(text, ALPHA, BETA) == [True, True]


@pytest.mark.parametrize("text", STATEMENTS)
def test_exchanged_values_are_noticed(text):
    assert stated(exchanged(text), ALPHA, BETA) == [False, False]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_wrong_value_is_noticed_and_costs_its_own_fact_only(text):
    wrong = text.replace("12", "13").replace("twelve", "thirteen")
    assert stated(wrong, ALPHA, BETA) == [False, True]


@given(
    st.lists(st.integers(0, 9999), min_size=3, max_size=3, unique=True),
    st.sampled_from(["{}: {:,}", "- {}: **{}**", "| {} | {:,} |", "The count of {} is {} in all."]),
    st.permutations([0, 1, 2]),
)
@settings(deadline=None)
def test_facts_hold_exactly_for_the_values_given(values, form, order):
    names = ["red", "green", "blue"]
    text = "\n".join(form.format(name, values[at]) for name, at in zip(names, order, strict=True))
    facts = [{"label": name, "value": value} for name, value in zip(names, values, strict=True)]
    assert stated(text, *facts) == [at == place for place, at in enumerate(order)]


FORMS = [
    "{} had {}",
    "{} ({})",
    "{}: {}",
    "{}, up 5%, reached {}",
    "in 2024 {} had {}",
    "{} had {} in 3",
]
TURNED = ["{1} for {0}", "{1} went to {0}", "{1} {0} items"]


@given(
    st.sampled_from(["", "In 2026, ", "Of 99 items ", "Total 42: "]),
    st.lists(st.sampled_from(FORMS + TURNED), min_size=3, max_size=3),
    st.sampled_from([", ", " and ", "; ", ". ", " while "]),
    st.permutations([12, 30, 71, 13]),
)
@settings(deadline=None)
def test_no_exchange_or_change_passes_in_any_mixture_of_forms(start, forms, join, values):
    names = ["Alpha", "Beta", "Gamma"]
    given_values = values[:3]
    parts = [f.format(n, v) for f, n, v in zip(forms, names, given_values, strict=True)]
    facts = [{"label": n, "value": v} for n, v in zip(names, (12, 30, 71), strict=True)]
    right = stated(start + join.join(parts), *facts)
    assert not all(right) or given_values == [12, 30, 71]
    if given_values == [12, 30, 71] and len(set(forms)) == 1 and join != " and ":
        assert all(right)


def test_the_longest_label_owns_its_words():
    net = {"label": "net revenue", "value": 12}
    gross = {"label": "revenue", "value": 30}
    assert stated("Net revenue: 12\nRevenue: 30", net, gross) == [True, True]
    assert stated("Net revenue: 30\nRevenue: 12", net, gross) == [False, False]


def test_phrases_as_values():
    facts = {"label": "Alpha", "value": "approved"}, {"label": "Beta", "value": "not approved"}
    assert stated("Alpha: approved, Beta: not approved", *facts) == [True, True]
    assert stated("Alpha: not approved, Beta: approved", *facts) == [False, False]


def test_dates_as_values():
    facts = {"label": "Alpha", "value": "2026-03-03"}, {"label": "Beta", "value": "2026-04-04"}
    assert stated("Alpha is due March 3, Beta on 4 April 2026.", *facts) == [True, True]
    assert stated("Alpha is due April 4, Beta on 3 March 2026.", *facts) == [False, False]
    assert stated("Alpha: 2025-03-03\nBeta: 2026-04-05", *facts) == [False, False]


def test_numbers_as_values():
    fact = {"label": "Loss", "value": -1234.5}
    for text in ("Loss: -$1,234.50", "Loss: (1,234.50)", "Loss −1234.5 EUR"):
        assert stated(text, fact) == [True]
    assert stated("Loss: 1,234.50", fact) == [False]
    assert stated("Mean: 2.35", {"label": "Mean", "value": 2.345, "decimals": 2}) == [True]
    assert stated("Mean: 2.36", {"label": "Mean", "value": 2.345, "decimals": 2}) == [False]
    assert stated("Revenue: $1.2 million", {"label": "Revenue", "value": 1_200_000}) == [True]


def test_any_of_several_labels_will_do():
    fact = {"label": ["grand total", "sum"], "value": 5}
    assert stated("The sum is 5", fact) == [True]
    assert stated("The total is 5", fact) == [False]


def test_how_near_a_value_must_be():
    text = "Alpha is our best region. It sold 12 units.\n\nOthers sold 13."
    assert stated(text, {**ALPHA, "near": "sentence"}) == [False]
    assert stated(text, {**ALPHA, "near": "line"}) == [True]
    wrapped = "Alpha is our best region of all.\nIt sold 12 units."
    assert stated(wrapped, ALPHA) == [False]
    assert stated(wrapped, {**ALPHA, "near": "paragraph"}) == [True]
    assert stated(text, {"label": "Alpha", "value": 13, "near": "paragraph"}) == [False]


def test_a_number_in_a_label_is_not_its_value():
    fact = {"label": "Q3 2026", "value": 2026}
    assert stated("Q3 2026: 5", fact) == [False]


def test_what_was_found_instead_is_told():
    (finding,) = run("Alpha: 13", [ALPHA])
    assert finding.reason == "a.md: not that 'Alpha' is 12; found: alpha: 13"
    (finding,) = run("Gamma: 12", [ALPHA])
    assert finding.reason == "a.md: nothing is said about 'Alpha' ('Alpha' is 12)"


def test_facts_take_any_label():
    assert Fact(label="C++ (beta)", value=3).labels == ["C++ (beta)"]
    assert stated("C++ (beta): 3", {"label": "C++ (beta)", "value": 3}) == [True]


# --- one line that holds much prose ------------------------------------------------------------

DAYS = [
    {"label": ["Saturday", "Sat"], "value": "10:40"},
    {"label": ["dinner", "eat"], "value": "17:45"},
    {"label": ["Sunday"], "value": "15:35"},
]
LETTER = (
    "We leave from the quay at 10:40 on Saturday. We have dinner at the Millstone at 17:45. On"
    " Sunday the boat back goes at 15:35."
)


def test_a_sentence_of_a_long_line_may_state_it():
    for near in ("line", "sentence", "paragraph"):
        facts = [{**fact, "near": near} for fact in DAYS]
        if near != "paragraph":
            assert stated(LETTER, *facts) == [True] * 3, near
        swapped = LETTER.replace("10:40", "@").replace("17:45", "10:40").replace("@", "17:45")
        assert stated(swapped, *facts)[:2] == [False, False], near


def test_a_list_item_has_sentences_too():
    item = "- Quarrington pays you 4 weeks later. Share it with two or three of you if you like."
    fact = {"label": "Quarrington", "near": "sentence"}
    assert stated(item, {**fact, "value": 4}) == [True]
    assert stated(item, {**fact, "value": 3}) == [False]
    numbered = "1. Quarrington pays after 4 weeks.\n2. Nothing else. Ask for 3 forms."
    assert stated(numbered, {**fact, "value": 4}) == [True]
    assert stated(numbered, {**fact, "value": 3}) == [False]
    wrapped = "- Quarrington is slow. It pays\n  4 weeks later."
    assert stated(wrapped, {**fact, "value": 4}) == [False]
    assert stated(wrapped, {**fact, "value": 4, "near": "line"}) == [True]


@pytest.mark.parametrize("start", ["- ", "", "2. "])
def test_a_bold_lead_takes_its_sentence_along(start):
    text = f"{start}**Quarrington.** They pay after 4 weeks. Bring 3 forms."
    fact = {"label": "Quarrington", "near": "sentence"}
    assert stated(text, {**fact, "value": 4}) == [True]
    assert stated(text, {**fact, "value": 3}) == [False]


# --- numbers that are about something else ------------------------------------------------------

CONSUMED = {"label": ["consumption", "consumed", "used", "kWh"], "value": 458777.2, "decimals": 0}
COST = {"label": ["cost", "costs", "spent", "EUR"], "value": 53152.07, "decimals": 0}
CHANGE = {"label": ["last year", "more", "than in"], "value": 3.3, "decimals": 1}
QUARTERS = [
    "In the first quarter of 2026 our buildings (without Eschenstieg 7) consumed 458,777 kWh at a"
    " cost of €53,152, 3.3 % more than in the first quarter of 2025.",
    "In the first quarter of 2026 our buildings (without Eschenstieg 7) consumed 458,777 kWh at a"
    " cost of €53,152, 3.3 % more than in the same quarter of last year.",
    "In the first quarter of 2026 our 9 buildings consumed 458,777 kWh at a cost of €53,152 or"
    " 3.3 % more.",
    "In the first quarter of 2026 we used 458,777 kWh at a cost of €53,152 in 9 buildings.",
]


@pytest.mark.parametrize("text", QUARTERS)
@pytest.mark.parametrize("facts", [[CONSUMED, COST], [CONSUMED, COST, CHANGE]])
def test_numbers_about_something_else_do_not_break_the_pairing(text, facts):
    here = [fact for fact in facts if fact is not CHANGE or "3.3" in text]
    assert stated(text, *here) == [True] * len(here)
    swapped = text.replace("458,777", "@").replace("53,152", "458,777").replace("@", "53,152")
    assert not all(stated(swapped, *here))
    for right, wrong in (("458,777", "458,787"), ("53,152", "53,142"), ("3.3", "3.4")):
        if right != "3.3" or len(here) == 3:
            assert not all(stated(text.replace(right, wrong), *here))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("13 for Alpha and 12 for Beta", [False, False]),
        ("13 for Alpha in 2024 and 12 for Beta", [False, False]),
        ("The 13 in 2024 for Alpha and 12 for Beta", [False, False]),
        ("In 2024, 30 for Alpha and 12 for Beta", [False, False]),
        ("In 2024, 12 for Alpha and 30 for Beta", [True, True]),
        ("Alpha 13 and then Beta 12", [False, False]),
        ("30 units for Alpha, 12 for Beta", [False, False]),
    ],
)
def test_an_aside_lends_no_value_to_a_label(text, right):
    assert stated(text, ALPHA, BETA) == right


def test_equal_values_of_two_labels_are_told_apart():
    beta = {"label": "Beta", "value": 12}
    for text in ("Alpha 13, Beta 12", "13 for Alpha and 12 for Beta", "Alpha and Beta: 13 and 12"):
        assert stated(text, ALPHA, beta) == [False, True], text


# --- labels that touch their value -------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("€", "It came to €53,152.07 and 12 kg."),
        ("€", "It came to 53,152.07 € and 12 kg."),
        ("€", "Gas: −€53,152.07"),
        ("$", "$53,152.07"),
        ("kg", "It weighs 53152.07 kg."),
        ("%", "53152.07% more"),
    ],
)
def test_a_label_may_be_a_sign_at_the_number(label, text):
    value = -53152.07 if "−" in text else 53152.07
    fact = {"label": label, "value": value}
    assert stated(text, fact) == [True]
    assert stated(text.replace("07", "08"), fact) == [False]


def test_currencies_as_labels_are_told_apart():
    facts = {"label": "€", "value": 12}, {"label": "$", "value": 30}
    for text in ("€12 or $30", "12 € or 30 $", "EUR: €12, USD: $30"):
        assert stated(text, *facts) == [True, True], text
        assert stated(exchanged(text), *facts) == [False, False], text


# --- several facts of one label -----------------------------------------------------------------

FIRST = [{"label": "INC-1", "value": name} for name in ("checkout", "GatewayTimeout")]
SECOND = [{"label": "INC-2", "value": name} for name in ("search", "DiskFull")]


@pytest.mark.parametrize(
    "text",
    [
        "INC-1 hit checkout, with GatewayTimeout errors; INC-2 hit search, with DiskFull errors.",
        "INC-1 (checkout, GatewayTimeout) and INC-2 (search, DiskFull)",
        "checkout and GatewayTimeout in INC-1, search and DiskFull in INC-2",
        "INC-1: checkout / GatewayTimeout, INC-2: search / DiskFull, all told.",
        "INC-1 hit checkout, with GatewayTimeout. INC-2 hit search, with DiskFull.",
    ],
)
def test_facts_of_one_label_are_a_set(text):
    assert stated(text, *FIRST, *SECOND) == [True] * 4
    swapped = text.replace("DiskFull", "@").replace("GatewayTimeout", "DiskFull")
    swapped = swapped.replace("@", "GatewayTimeout")
    right = stated(swapped, *FIRST, *SECOND)
    assert right == [True, False, True, False]
    assert stated(text.replace("GatewayTimeout", "Timeout"), *FIRST, *SECOND) == [
        True, False, True, True,
    ]  # fmt: skip


def test_numbers_of_one_label_are_a_set():
    facts = [{"label": "Alpha", "value": n} for n in (12, 5)] + [{"label": "Beta", "value": 30}]
    for text in (
        "Alpha had 12 errors, 5 of them fatal, while Beta had 30.",
        "Alpha (12, of which 5 fatal), Beta (30)",
        "12 and 5 for Alpha, 30 for Beta",
    ):
        assert stated(text, *facts) == [True] * 3, text
        assert not all(stated(exchanged(text), *facts)), text
        assert stated(text.replace("5", "6"), *facts) == [True, False, True], text


def test_a_wording_that_two_facts_share_does_not_join_their_other_wordings():
    facts = [
        {"label": ["open", "items"], "value": 12},
        {"label": ["closed", "items"], "value": 30},
    ]
    assert stated("12 open, 30 closed", *facts) == [True, True]
    assert stated("30 open, 12 closed", *facts) == [False, False]


# --- alternatives, clock times, signs -----------------------------------------------------------


def test_any_of_several_values_will_do():
    fact = {"label": "Alpha", "value": [12, 13.5]}
    assert stated("Alpha: 13.50", fact) == [True]
    assert stated("Alpha: 14", fact) == [False]
    facts = fact, {"label": "Beta", "value": [30, 31]}
    assert stated("Alpha 12, Beta 31", *facts) == [True, True]
    assert stated("Alpha 31, Beta 12", *facts) == [False, False]
    day = {"label": "Alpha", "value": ["2026-03-03", "2026-03-04"]}
    assert stated("Alpha is due 4 March", day) == [True]
    assert stated("Alpha is due 5 March", day) == [False]
    assert stated("Alpha is late", {"label": "Alpha", "value": ["overdue", "late"]}) == [True]


@pytest.mark.parametrize(
    "written",
    ["21:12", "21:12:00", "9:12 pm", "9:12 p.m.", "2026-10-16T21:12Z", "2026-10-16T21:12:00+02:00",
     "2026-10-16 21:12 UTC", "21:12h", "21:12-21:32", "**21:12**", "(21:12)"],
)  # fmt: skip
def test_a_time_is_found_in_any_way_of_writing(written):
    fact = {"label": "INC-1", "value": "21:12"}
    assert stated(f"INC-1 began at {written}.", fact) == [True]
    assert stated(f"INC-1 began at {written.replace('12', '13')}.", fact) == [False]


def test_other_times_are_not_found():
    fact = {"label": "INC-1", "value": "21:12"}
    for written in ("21:12:30", "9:12", "1:21:12", "21.12", "2112", "9:12 am"):
        assert stated(f"INC-1 began at {written}", fact) == [False], written
    zone = {"label": "INC-1", "value": "02:00"}
    assert stated("INC-1 began at 2026-10-16T21:12:00+02:00", zone) == [False]
    assert stated("INC-1 began at 21:12:30", {**fact, "value": "21:12:30"}) == [True]
    assert stated("INC-1: 5:45 pm", {**fact, "value": "17:45"}) == [True]
    assert stated("INC-1: 9:05", {**fact, "value": "09:05"}) == [True]
    assert stated("INC-1: 12:05 am", {**fact, "value": "0:05"}) == [True]


def test_times_are_exchanged_noticeably():
    facts = {"label": "Alpha", "value": "10:40"}, {"label": "Beta", "value": "17:45"}
    for text in ("Alpha 10:40, Beta 5:45 pm", "10:40 for Alpha and 17:45 for Beta"):
        assert stated(text, *facts) == [True, True]
    assert stated("Alpha 17:45, Beta 10:40", *facts) == [False, False]


def test_a_loss_may_be_told_without_its_sign():
    fact = {"label": "Pemberly", "value": -1850, "unsigned": True}
    assert stated("Pemberly: 1,850 more", fact) == [True]
    assert stated("Pemberly: -1,850", fact) == [True]
    assert stated("Pemberly: 1,580", fact) == [False]
    assert stated("Pemberly: 1,850", {**fact, "unsigned": False}) == [False]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"value": []}, "needs a value"),
        ({"value": [1, True]}, "a number, a date or a phrase"),
        ({"value": [1, "x"]}, "of one kind"),
        ({"value": ["a", " "]}, "may not be blank"),
        ({"value": ["a"], "unsigned": True}, "`unsigned` is for numbers"),
        ({"value": "10:40", "decimals": 1}, "`decimals` is for numbers"),
    ],
)
def test_a_senseless_fact_is_refused(fields, message):
    with pytest.raises(ValidationError, match=message):
        Fact.model_validate({"label": "a", **fields})


def test_a_fact_with_alternatives_survives_a_trip_through_json():
    import datetime as dt

    fact = Fact.model_validate({"label": "a", "value": [dt.date(2026, 3, 3), "2026-03-04"]})
    assert fact.kind == "date"
    assert Fact.model_validate_json(fact.model_dump_json()) == fact


def test_a_label_inside_its_own_value_is_a_part_of_the_value() -> None:
    partner = {"label": ["partner", "most"], "value": "partner feed", "near": "sentence"}
    assert stated("The partner: partner feed.", partner) == [True]
    assert stated("The most frequent partner is partner feed.", partner) == [True]
    assert stated("There is a partner feed.", partner) == [False]
    assert stated("The partner: order feed.", partner) == [False]


def test_an_entry_is_no_amount_of_money() -> None:
    entry = {"label": "largest", "value": "RS-824"}
    assert stated("The largest is RS-824.", entry) == [True]
    assert stated("The largest is RS-825.", entry) == [False]
    assert stated("The largest is -824.", entry) == [False]
