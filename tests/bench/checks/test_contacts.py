import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.contacts import VcfCheck, same_phone
from clawgym_bench.sandbox.snapshot import Snapshot

OLD = """BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Ann=
;;Dr.;
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ann M=C3=BCller
TEL;CELL;VOICE:+49 (0)30 123-4567
EMAIL;INTERNET:Ann@X.org
ORG:Acme;Research
TITLE:Head of Research
BDAY:19900304
END:VCARD
"""
NEW = """BEGIN:VCARD
VERSION:4.0
FN:Ann Müller
N:Müller;Ann;;Dr.;
item1.TEL;VALUE=uri;TYPE="voice,cell":tel:+49-30-1234567
item1.EMAIL;TYPE=INTERNET;TYPE=WORK:mailto:ann@x.org
ORG:Acme
TITLE:Head of
  Research
BDAY:1990-03-04
NOTE:Likes tea\\, not coffee\\; met in
  Oslo
END:VCARD
"""
BOB = "BEGIN:VCARD\nVERSION:3.0\nFN:Bob\nEMAIL:bob@x.org\nEND:VCARD\n"
ANN = {
    "name": ["Ann Müller", "Ann Mueller"],
    "emails": ["ann@x.org"],
    "phones": ["030 1234567"],
    "org": "ACME",
    "title": "Head of Research",
    "birthday": "1990-03-04",
}


def run(content: str | bytes, **fields) -> list[Finding]:
    data = content.encode() if isinstance(content, str) else content
    check = VcfCheck.model_validate({"path": "c.vcf", **fields})
    return check.run(Evidence(Snapshot({"c.vcf": data})))


def failures(content: str | bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


@pytest.mark.parametrize("content", [OLD, NEW, OLD.replace("\n", "\r\n")])
def test_a_contact_is_recognized_in_every_version(content):
    assert failures(content, contacts=[ANN]) == []


def test_notes_are_read():
    note = ANN | {"contains": ["tea, not coffee; met in Oslo"]}
    assert failures(NEW, contacts=[note]) == []
    assert failures(OLD, contacts=[note])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1234567", "1234568"),
        ("ann@x.org", "ann@y.org"),
        ("ORG:Acme", "ORG:Acne"),
        ("1990-03-04", "1990-04-03"),
        ("Research", "Sales"),
        ("FN:Ann Müller\nN:Müller", "FN:Ann Maller\nN:Maller"),
        ("BDAY", "EMAIL:second@x.org\nBDAY"),
        ("BDAY", "TEL:+44 20 7946 0000\nBDAY"),
    ],
)
def test_every_change_of_substance_is_noticed(old, new):
    (reason,) = failures(NEW.replace(old, new), contacts=[ANN])
    assert "wanted" in reason


def test_other_contacts_do_not_belong_unless_allowed():
    assert failures(NEW + BOB, contacts=[ANN]) == ["c.vcf: contact Bob does not belong there"]
    assert failures(NEW + BOB, contacts=[ANN], exactly=False) == []
    assert failures(BOB, contacts=[ANN], exactly=False) == ["c.vcf: no contact Ann Müller"]
    assert failures(NEW + NEW, contacts=[ANN])


def test_the_name_may_be_in_its_parts_only():
    content = "BEGIN:VCARD\nVERSION:3.0\nN:Lee;Bo;;;\nEND:VCARD\n"
    assert failures(content, contacts=[{"name": "Bo Lee"}]) == []


def test_birthdays_without_a_year():
    content = BOB.replace("END", "BDAY:--0415\nEND")
    assert failures(content, contacts=[{"name": "Bob", "birthday": "--04-15"}]) == []
    assert failures(content, contacts=[{"name": "Bob", "birthday": "--05-15"}])


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ("+1 (555) 010-4477", "555-010-4477", True),
        ("tel:+1-555-010-4477;ext=12", "+15550104477", True),
        ("0049 30 1234567", "+49 30 1234567", True),
        ("030/1234567", "+49 (0)30 1234567", True),
        ("555-010-4478", "555-010-4477", False),
        ("010-4477", "555-010-4477", False),
        ("4477", "555-010-4477", False),
        ("", "555-010-4477", False),
    ],
)
def test_phones_are_compared_by_their_digits(found, expected, same):
    assert same_phone(found, expected) is same


HOSTILE = {
    "empty": "",
    "text": "Ann: 030 1234567",
    "latin": b"BEGIN:VCARD\nFN:\xff\nEND:VCARD",
    "open": "BEGIN:VCARD\nFN:x\n",
    "nested": "BEGIN:VCARD\n" * 3,
    "outside": "FN:x\nBEGIN:VCARD\nEND:VCARD",
    "many": BOB * 6_000,
    "4000": BOB * 4_000,
    "big": "BEGIN:VCARD\nNOTE:" + "x" * (5 << 20) + "\nEND:VCARD",
    "commas": "BEGIN:VCARD\nFN;" + "a," * 500_000 + "\nEND:VCARD",
    "semicolons": "BEGIN:VCARD\nN:" + ";" * 1_000_000 + "\nEND:VCARD",
    "quotes": "BEGIN:VCARD\nFN;X=" + '"' * 1_000_001 + ":x\nEND:VCARD",
    "pairs": "BEGIN:VCARD\nFN;X=" + '"a"' * 500_000 + "\nEND:VCARD",
    "folds": "BEGIN:VCARD\nNOTE:" + "\n x" * 1_000_000 + "\nEND:VCARD",
    "soft": "BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:" + "x=\n" * 500_000 + "\nEND:VCARD",
    "backslashes": "BEGIN:VCARD\nFN:" + "\\" * 3_000_001 + "\nEND:VCARD",
    "phones": "BEGIN:VCARD\nFN:Bob\n" + "TEL:1\n" * 100_000 + "END:VCARD",
    "no value": "BEGIN:VCARD\nFN\nEND:VCARD",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_fail_with_a_reason_in_time(name):
    started = time.monotonic()
    findings = run(HOSTILE[name], contacts=[{"name": "Bob", "phones": ["030 1234567"]}, ANN])
    assert time.monotonic() - started < 10
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"contacts": []}, "nothing is asserted"),
        ({"contacts": [{"name": "x", "birthday": "spring"}]}, "birthday"),
        ({"contacts": [{"name": "x", "phones": ["none"]}]}, "no digits"),
        ({"contacts": [{"nme": "x"}]}, "name"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        VcfCheck.model_validate({"path": "c.vcf", **fields})


@settings(max_examples=300, deadline=None)
@given(st.text('FNTEL:;,=\\"\n .@+0123a', max_size=120))
def test_no_card_makes_it_raise(text):
    run(f"BEGIN:VCARD\n{text}\nEND:VCARD", contacts=[ANN])
    run(text, contacts=[ANN])
