import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.calendar import IcsCheck
from clawgym_bench.sandbox.snapshot import Snapshot


def calendar(*components: str, head: str = "") -> str:
    return "\r\n".join(
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y", head, *components, "END:VCALENDAR", ""]
    )


def event(*lines: str, kind: str = "VEVENT") -> str:
    return "\r\n".join([f"BEGIN:{kind}", "UID:u1", *lines, f"END:{kind}"])


SYNC = event(
    "SUMMARY:Team\\, sync",
    "DTSTART;TZID=Europe/Berlin:20260302T090000",
    "DTEND;TZID=Europe/Berlin:20260302T100000",
    "LOCATION:Room 4",
    "DESCRIPTION:Agenda:\\nbudget of 1\\,200 eu",
    " ros",
    "ATTENDEE;CN=Ann:mailto:Ann@x.org",
    "ATTENDEE:MAILTO:bob@x.org",
    "RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=WE,MO;COUNT=10",
    "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM",
)


def run(content: str | bytes, **fields) -> list[Finding]:
    data = content.encode() if isinstance(content, str) else content
    check = IcsCheck.model_validate({"path": "c.ics", **fields})
    return check.run(Evidence(Snapshot({"c.ics": data})))


def failures(content: str | bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


WANTED = {
    "summary": ["team, sync", "Sync of the team"],
    "start": "2026-03-02T09:00",
    "end": "2026-03-02T10:00",
    "location": "room 4",
    "attendees": ["bob@x.org", "ann@x.org"],
    "rrule": "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10",
    "contains": ["budget of 1,200 euros"],
    "alarm_minutes": 15,
}
BERLIN = {"timezone": "Europe/Berlin"}


def test_an_event_is_recognized_in_all_its_fields():
    assert failures(calendar(SYNC), events=[WANTED], **BERLIN) == []
    assert failures(calendar(SYNC).replace("\r\n", "\n"), events=[WANTED]) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("T090000", "T093000"),
        ("T100000", "T103000"),
        ("sync", "synch"),
        ("Room 4", "Room 5"),
        ("200", "300"),
        ("bob@", "rob@"),
        ("WE,MO", "WE"),
        ("COUNT=10", "COUNT=9"),
        ("INTERVAL=1", "INTERVAL=2"),
        ("PT15M", "PT10M"),
        ("Europe/Berlin", "Europe/London"),
    ],
)
def test_every_change_of_substance_is_noticed(old, new):
    (reason,) = failures(calendar(SYNC.replace(old, new)), events=[WANTED], **BERLIN)
    assert "wanted" in reason or "is not in it" in reason


@pytest.mark.parametrize(
    "start",
    [
        "DTSTART;TZID=Europe/Berlin:20260302T090000",
        "DTSTART;TZID=W. Europe Standard Time:20260302T090000",
        "DTSTART:20260302T080000Z",
        "DTSTART:20260302T090000",
        "DTSTART;TZID=America/New_York:20260302T030000",
        "DTSTART;TZID=My own zone:20260302T090000",
    ],
)
def test_times_are_compared_as_instants(start):
    content = calendar(event("SUMMARY:A", start, "DURATION:PT45M"))
    for wanted in ("2026-03-02T09:00", "2026-03-02T09:00+01:00", "2026-03-02T08:00Z"):
        asked = [{"summary": "A", "start": wanted, "duration_minutes": 45}]
        assert failures(content, events=asked, **BERLIN) == []
        asked = [{"summary": "A", "start": wanted, "duration_minutes": 40}]
        assert failures(content, events=asked, **BERLIN)


def test_all_day_events_end_on_their_last_day():
    content = calendar(
        event("SUMMARY:Trip", "DTSTART;VALUE=DATE:20260302", "DTEND;VALUE=DATE:20260305")
    )
    trip = {"summary": "Trip", "start": "2026-03-02"}
    assert failures(content, events=[trip | {"end": "2026-03-04", "all_day": True}]) == []
    assert failures(content, events=[trip | {"end": "2026-03-05"}])
    assert failures(content, events=[{"summary": "Trip", "start": "2026-03-02T00:00"}])
    single = calendar(event("SUMMARY:Trip", "DTSTART;VALUE=DATE:20260302"))
    assert failures(single, events=[trip | {"end": "2026-03-02"}]) == []


def test_other_events_do_not_belong_unless_allowed():
    other = event("SUMMARY:Other", "DTSTART:20260401T100000Z")
    asked = {"events": [WANTED], "timezone": "Europe/Berlin"}
    assert failures(calendar(SYNC, other), **asked) == [
        "c.ics: event Other 2026-04-01 10:00:00+00:00 does not belong there"
    ]
    assert failures(calendar(SYNC, other), exactly=False, **asked) == []
    assert failures(calendar(SYNC, SYNC), **asked)
    assert failures(calendar(other), **asked)
    flood = run(calendar(SYNC, *[other] * 5), **asked)
    assert any(finding.required and not finding.ok for finding in flood)


def test_todos():
    content = calendar(
        event(
            "SUMMARY:Pay",
            "DUE;VALUE=DATE:20260301",
            "STATUS:NEEDS-ACTION",
            "PRIORITY:1",
            kind="VTODO",
        )
    )
    pay = {"summary": "pay", "due": "2026-03-01", "status": "needs-action", "priority": 1}
    assert failures(content, todos=[pay]) == []
    assert failures(content, todos=[pay | {"due": "2026-03-02"}])
    assert failures(content, todos=[pay | {"priority": 2}])
    assert failures(content, todos=[], events=[])


def test_a_time_that_is_none_is_said():
    content = calendar(event("SUMMARY:A", "DTSTART:2026-03-02T09:00:00"))
    (reason,) = failures(content, events=[{"summary": "A", "start": "2026-03-02T09:00"}])
    assert "DTSTART is not an iCalendar time" in reason


def test_zones_defined_in_a_file_neither_hang_nor_leak():
    zone = (
        "BEGIN:VTIMEZONE\r\nTZID:Europe/Nowhere\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
        "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0500\r\nRRULE:FREQ=SECONDLY\r\nEND:STANDARD\r\n"
        "END:VTIMEZONE"
    )
    item = event("SUMMARY:A", "DTSTART;TZID=Europe/Nowhere:20260302T090000")
    asked = [{"summary": "A", "start": "2026-03-02T09:00"}]
    started = time.monotonic()
    for folded in (zone, zone.replace("BEGIN:VTIMEZONE", "BEGIN:VTIM\r\n EZONE")):
        assert failures(calendar(item, head=folded), events=asked, **BERLIN) == []
    assert time.monotonic() - started < 5
    assert failures(calendar(item), events=asked, **BERLIN) == []


HOSTILE = {
    "empty": "",
    "text": "Meeting on Monday",
    "latin": b"BEGIN:VCALENDAR\nSUMMARY:\xff\nEND:VCALENDAR",
    "open": "BEGIN:VCALENDAR\nBEGIN:VEVENT\n",
    "crossed": "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\nEND:VEVENT",
    "deep": "BEGIN:VCALENDAR\n" * 5_000 + "END:VCALENDAR\n" * 5_000,
    "many": calendar(*["BEGIN:VEVENT\nEND:VEVENT"] * 6_000),
    "4000": calendar(*[event("SUMMARY:x", "DTSTART:20260101T000000Z")] * 4_000),
    "big": "BEGIN:VCALENDAR\nX:" + "x" * (3 << 20) + "\nEND:VCALENDAR",
    "newlines": "BEGIN:VCALENDAR" + "\n" * 1_500_000 + "END:VCALENDAR",
    "folds": "BEGIN:VCALENDAR\nX:" + "\n x" * 500_000 + "\nEND:VCALENDAR",
    "quotes": "BEGIN:VCALENDAR\nX;A=" + '"' * 1_500_001 + ":b\nEND:VCALENDAR",
    "parameters": calendar(event("SUMMARY" + ";A=B" * 300_000 + ":x")),
    "dates": calendar(event("RDATE:" + "20260101," * 150_000, "SUMMARY:x")),
    "rule": calendar(event("RRULE:" + "FREQ=DAILY;" * 100_000, "SUMMARY:x")),
    "zones": calendar(*["BEGIN:VTIMEZONE\nEND:VTIMEZONE"] * 4_000),
    "begin with parameters": calendar("BEGIN;X=1:VTIMEZONE\nEND;X=1:VTIMEZONE"),
    "far": calendar(event("SUMMARY:x", "DTSTART:99990101T000000Z", "DURATION:P9999999D")),
    "early": calendar(event("SUMMARY:x", "DTSTART;TZID=Asia/Tokyo:00010101T000000")),
    "path": calendar(event("SUMMARY:x", "DTSTART;TZID=../../etc/passwd:20260101T000000")),
    "no value": calendar(event("SUMMARY", "DTSTART")),
    "trigger": calendar(event("SUMMARY:x", "BEGIN:VALARM\r\nTRIGGER:x\r\nEND:VALARM")),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_fail_with_a_reason_in_time(name):
    started = time.monotonic()
    findings = run(
        HOSTILE[name],
        events=[{"summary": "x", "start": "2026-03-02T09:00", "duration_minutes": 5}],
        todos=[{"summary": "secret"}],
        **BERLIN,
    )
    assert time.monotonic() - started < 10
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "nothing is asserted"),
        ({"events": [], "exactly": False}, "nothing is asserted"),
        ({"events": [{"start": "tomorrow"}]}, "not a date or time"),
        ({"events": [{"start": "2026-03-02", "duration_minutes": 5}]}, "no duration_minutes"),
        ({"events": [{"start": "2026-03-02", "end": "2026-03-02T10:00"}]}, "both be days"),
        ({"events": [{"start": "2026-03-02", "all_day": False}]}, "has no time"),
        ({"events": [{"start": "2026-03-02T09:00", "all_day": True}]}, "has a time"),
        ({"events": [{"start": "2026-03-02", "rrule": "weekly"}]}, "recurrence rule"),
        ({"events": [], "timezone": "Mars"}, "not a time zone"),
        ({"events": [{"summary": "x"}]}, "start"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        IcsCheck.model_validate({"path": "c.ics", **fields})


def test_an_empty_calendar_does_not_affirm():
    assert not IcsCheck(path="c.ics", events=[]).affirms()
    assert IcsCheck.model_validate({"path": "c.ics", "events": [WANTED]}).affirms()


def test_a_check_survives_a_trip_through_json():
    import datetime as dt

    moment = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
    check = IcsCheck.model_validate({"path": "c.ics", "events": [{"start": moment}]})
    assert IcsCheck.model_validate_json(check.model_dump_json()) == check


LINES = st.sampled_from(
    [
        "BEGIN:VEVENT",
        "END:VEVENT",
        "BEGIN:VTODO",
        "END:VTODO",
        "SUMMARY:x",
        "DTSTART:20260302T090000Z",
        "DTSTART:20260302",
        "DTSTART:20261402T090000",
        "DTSTART:",
        "DTSTART;TZID=:2",
        "DTEND;VALUE=DATE:20260302",
        "DUE:1",
        "DURATION:P1D",
        "DURATION:PT",
        "RRULE:FREQ",
        "RRULE:FREQ=DAILY;UNTIL=x",
        "ATTENDEE:",
        "ATTENDEE;=:x",
        "PRIORITY:high",
        "BEGIN:VALARM",
        "END:VALARM",
        "TRIGGER:-PT5M",
        "TRIGGER;VALUE=DATE-TIME:1",
        'LOCATION;X="a:b',
        ";:",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=12))
def test_no_lines_make_it_raise(lines):
    run(calendar(*lines), events=[WANTED], todos=[{"summary": "x", "due": "2026-03-02"}])
    run(calendar(event(*lines)), events=[WANTED], todos=[{"summary": "x"}], **BERLIN)
