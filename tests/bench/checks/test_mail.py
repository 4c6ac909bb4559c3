import email.policy
import time
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.mail import MailCheck
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot

INPUTS = {"in/plan.csv": b"a,b\n1,2\n"}


def message(
    body: str = "Hi Ann,\nthe total is 1,234.50 EUR.\n",
    *,
    html: str = "",
    attach: bool = True,
    **headers: str,
) -> bytes:
    made = EmailMessage(policy=email.policy.SMTP)
    fields = {
        "From": "Me <me@x.org>",
        "To": "Ann Müller <Ann@x.org>, bob@x.org",
        "Subject": "Re: Übersicht für März",
        "In-Reply-To": "<17@x.org>",
    }
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    for name, value in fields.items():
        if value:
            made[name] = value
    made.set_content(body)
    if html:
        made.add_alternative(html, subtype="html")
    if attach:
        made.add_attachment(
            INPUTS["in/plan.csv"], maintype="text", subtype="csv", filename="plan.csv"
        )
    return made.as_bytes()


WANTED = {
    "to": ["bob@x.org", "ann@x.org"],
    "cc": [],
    "from": "me@x.org",
    "subject": ["re: übersicht für märz", "Overview"],
    "in_reply_to": "17@x.org",
    "attachments": ["plan.csv"],
    "copies": {"plan.csv": "in/plan.csv"},
    "body": {"facts": [{"label": "total", "value": 1234.5}]},
}


def run(files: bytes | dict[str, bytes], path: str = "m.eml", **fields) -> list[Finding]:
    files = files if isinstance(files, dict) else {path: files}
    check = MailCheck.model_validate({"path": path, "messages": [WANTED], **fields})
    return check.run(Evidence(Snapshot(files), inputs=INPUTS))


def failures(files: bytes | dict[str, bytes], path: str = "m.eml", **fields) -> list[str]:
    return [finding.reason for finding in run(files, path, **fields) if not finding.ok]


def test_a_message_is_recognized_in_all_its_fields():
    assert failures(message()) == []
    assert failures(message().replace(b"\r\n", b"\n")) == []


@pytest.mark.parametrize(
    "made",
    [
        message(To="ann@x.org"),
        message(Cc="boss@x.org"),
        message(From="you@x.org"),
        message(Subject="Other"),
        message(In_Reply_To=""),
        message(attach=False),
        message("The total is 1,234.60 EUR."),
        message().replace(b"1,2\n", b"1,3\n").replace(b"YSxiCjEsMgo=", b"YSxiCjEsMwo="),
    ],
)
def test_every_change_of_substance_is_noticed(made):
    assert len(failures(made)) == 1


def test_a_body_in_html_is_read_as_its_text():
    plain = EmailMessage(policy=email.policy.SMTP)
    plain["To"], plain["Subject"] = "a@x.org", "S"
    markup = "<style>p {}</style><p>The&nbsp;total<br>is <b>5&euro;</b></p><script>7</script>"
    plain.set_content(markup, subtype="html")
    wanted = {"to": "a@x.org", "body": {"contains": ["is 5€"], "lacks": ["7"]}}
    assert failures(plain.as_bytes(), messages=[wanted]) == []


def test_a_mailbox_holds_several():
    box = b"From me@x.org Mon Mar  2 09:00:00 2026\n" + message().replace(b"\r\n", b"\n")
    box += b"\nFrom me@x.org Mon Mar  2 09:01:00 2026\n"
    box += b"To: c@x.org\nSubject: Two\n\n>From here on\n"
    two = {"to": "c@x.org", "body": {"contains": ["From here on"]}}
    assert failures(box, "m.mbox", messages=[two, WANTED]) == []
    assert failures(box, "m.mbox") == ["m.mbox: message 'Two' does not belong there"]
    assert failures(box, "m.mbox", exactly=False) == []
    assert failures(message(), "m.mbox")[0].startswith("m.mbox: it does not begin with a line")


def test_a_pattern_collects_files():
    files = {"out/1.eml": message(), "out/2.eml": message(To="c@x.org"), "b.eml": b"x"}
    other = WANTED | {"to": "c@x.org"}
    assert failures(files, "out/*.eml", messages=[other, WANTED]) == []
    assert failures({}, "out/*.eml") == ["no file matches out/*.eml"]
    assert failures({}, "out/*.eml", messages=[]) == []
    assert len(failures(files, "out/*.eml", messages=[])) == 2


def test_a_draft_to_nobody_else_is_not_the_message():
    first, second, third = failures(message(To="c@x.org", Subject="Else"))
    assert first == "m.eml: no message to bob@x.org, ann@x.org 're: übersicht für märz'"
    assert second == "m.eml: message 'Else' does not belong there"
    assert third.startswith("m.eml: no text of a message to bob@x.org")


HOSTILE = {
    "empty": b"",
    "text": b"Hi Ann, the total is 1,234.50 EUR.",
    "binary": bytes(range(256)) * 4,
    "long header": b"To: " + b"a@x.org, " * 100_000 + b"\n\nx",
    "nested comments": b"To: " + b"(" * 15_000 + b"\n\nx",
    "quotes": b"To: " + b'"\\' * 7_000 + b"\nSubject: x\n\nx",
    "groups": b"To: " + b"a:;" * 5_000 + b"\n\nx",
    "encoded": b"Subject: " + b"=?utf-8?q?=41?= " * 900 + b"\n\nx",
    "parameters": b"To: a@x.org\nContent-Type: text/plain" + b"; a*0*=x" * 1_500 + b"\n\nx",
    "many headers": b"X: y\n" * 100_000 + b"\n\nx",
    "charset": b"To: a@x.org\nContent-Type: text/plain; charset=none\n\nx\xff",
    "codec": b"To: a@x.org\nContent-Type: text/plain; charset=zlib_codec\n\nx",
    "base64": b"To: a@x.org\nContent-Transfer-Encoding: base64\n\n!!!=\n",
    "deep": b"To: a@x.org\n"
    + b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(800)
    ),
    "parts": b'To: a@x.org\nContent-Type: multipart/mixed; boundary="b"\n\n'
    + b"--b\n\nx\n" * 100_000,
    "digest": b"To: a@x.org\nContent-Type: message/rfc822\n\n" * 500,
    "html": b"To: a@x.org\nContent-Type: text/html\n\n" + b"<script>" * 500_000,
    "tags": b"To: a@x.org\nContent-Type: text/html\n\n" + b"<" * 900_000,
    "scripts": b"To: a@x.org\nContent-Type: text/html\n\n" + b"<script>" * 100_000,
    "big": b"To: a@x.org\n\n" + b"x" * (20 << 20),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_fail_with_a_reason_in_time(name):
    started = time.monotonic()
    findings = run(HOSTILE[name], messages=[{"to": "a@x.org", "body": {"contains": ["secret"]}}])
    assert time.monotonic() - started < 10
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


@pytest.mark.parametrize("content", [b"From x\n" * 100_000, b"\nFrom x\n\n" * 100_000, b"x\nFrom"])
def test_hostile_mailboxes_fail_with_a_reason_in_time(content):
    started = time.monotonic()
    assert failures(content, "m.mbox")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"messages": [], "exactly": False}, "nothing is asserted"),
        ({"path": "m.txt"}, "must end in"),
        ({"messages": [{"cc": []}]}, "recognized by"),
        ({"messages": [{"to": "Ann"}]}, "not an address"),
        ({"messages": [{"to": "a@x.org", "attachments": [], "copies": {"a": "b"}}]}, "not among"),
        ({"messages": [{"to": "a@x.org", "body": {}}]}, "nothing is asserted"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        MailCheck.model_validate({"path": "m.eml", "messages": [WANTED], **fields})


def test_no_mail_wanted_does_not_affirm():
    assert not MailCheck(path="out/*.eml", messages=[]).affirms()
    assert MailCheck.model_validate({"path": "m.eml", "messages": [WANTED]}).affirms()


def test_an_attachment_of_nothing_is_the_tasks_fault():
    with pytest.raises(TaskFault):
        run(message(), messages=[{"to": "ann@x.org", "copies": {"plan.csv": "nowhere"}}])


def test_a_check_survives_a_trip_through_json():
    check = MailCheck.model_validate({"path": "m.eml", "messages": [WANTED]})
    assert MailCheck.model_validate_json(check.model_dump_json(by_alias=True)) == check


HEADERS = st.sampled_from(
    [b"To: ", b"From: ", b"Subject: ", b"Content-Type: ", b"Content-Disposition: ", b"Cc: ", b"\n"]
)
VALUES = st.text('<>()@,;:."=?\\ aqb/-*\n', max_size=30).map(str.encode) | st.binary(max_size=20)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(HEADERS, VALUES), max_size=8))
def test_no_headers_make_it_raise(pairs):
    run(b"".join(name + value + b"\n" for name, value in pairs), messages=[WANTED])
