"""iCalendar files: events and to-dos, times compared as instants.

Time zone definitions inside the file are not read (their rules can be made to run for ever, and
the library keeps them for later files): a zone is known by its IANA or Windows name, otherwise its
times count as local times.
"""

import datetime as dt
import re
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Self

from icalendar import Calendar, Component
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, StrictModel, file_content
from clawgym_bench.checks.compare import as_date, equal, finds
from clawgym_bench.checks.limits import NESTING, Refused
from clawgym_bench.checks.pairing import Pairing, finding, item_findings

CALENDAR_BYTES = 2 * 2**20
CALENDAR_ITEMS = 5_000

_EDGE = re.compile(r"\s*(BEGIN|END)\s*([:;])\s*(.*?)\s*", re.I)


@dataclass(frozen=True)
class Item:
    """An event or a to-do of a file. `start` and `end` are as written; `broken` says what is not
    readable in it."""

    summary: str
    uid: str
    start: dt.date | dt.datetime | None
    end: dt.date | dt.datetime | None
    location: str
    text: str
    attendees: frozenset[str]
    rule: dict[str, tuple[str, ...]]
    alarms: frozenset[int]
    status: str
    priority: int | None
    broken: Sequence[str] = field(default_factory=tuple)


def read_calendar(content: bytes) -> tuple[list[Item], list[Item]]:
    """Events and to-dos of a file; raises `Refused`."""
    if len(content) > CALENDAR_BYTES:
        raise Refused(f"it has more than {CALENDAR_BYTES:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8 text") from None
    lines = _without_zones(text)
    try:
        calendars = Calendar.from_ical("\n".join(lines), multiple=True)
        events = [_item(one) for calendar in calendars for one in calendar.walk("VEVENT")]
        todos = [_item(one) for calendar in calendars for one in calendar.walk("VTODO")]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise Refused(f"it is not a valid calendar ({str(error)[:100]})") from None
    except OverflowError:
        raise Refused("it holds a date out of range") from None
    return events, todos


def _without_zones(text: str) -> list[str]:
    """The unfolded lines, once their nesting is known to be harmless."""
    text = re.sub(r"(?:\r?\n)+", "\n", text.strip())
    lines = re.sub(r"\n[ \t]", "", text).split("\n")
    if lines[0].strip().upper() != "BEGIN:VCALENDAR":
        raise Refused("it does not begin with BEGIN:VCALENDAR")
    kept = []
    open_names: list[str] = []
    components = 0
    for line in lines:
        edge = (
            _EDGE.fullmatch(line)
            if line.lstrip()[:5].upper().startswith(("BEGIN", "END"))
            else None
        )
        if edge is not None and edge[2] == ";":
            raise Refused("a BEGIN or END has parameters")
        if edge is not None and edge[1].upper() == "BEGIN":
            components += 1
            open_names.append(edge[3].upper())
            if components > CALENDAR_ITEMS or len(open_names) > NESTING:
                raise Refused("it has too many components, or they nest too deeply")
        if "VTIMEZONE" not in open_names:
            kept.append(line)
        if edge is not None and edge[1].upper() == "END":
            if not open_names or open_names[-1] != edge[3].upper():
                raise Refused(f"END:{edge[3][:20]} does not close what is open")
            open_names.pop()
    if open_names:
        raise Refused(f"BEGIN:{open_names[-1][:20]} has no END")
    return kept


def _item(component: Component) -> Item:
    broken: list[str] = []

    def text(name: str) -> str:
        value = component.get(name, "")
        return str(value[0] if isinstance(value, list) and value else value).strip()

    def moment(name: str) -> dt.date | dt.datetime | None:
        value = component.get(name)
        if value is None:
            return None
        try:
            when = value.dt
        except Exception:
            broken.append(f"{name} is not an iCalendar time: {str(value)[:40]}")
            return None
        if not isinstance(when, dt.date):
            broken.append(f"{name} is not a time: {str(value)[:40]}")
            return None
        return when

    start = moment("DTSTART")
    end = moment("DUE" if component.name == "VTODO" else "DTEND")
    if end is None and component.get("DURATION") is not None and start is not None:
        try:
            length: Any = component["DURATION"]
            end = start + length.dt
        except Exception:
            broken.append("DURATION is not readable")
    mails = component.get("ATTENDEE", [])
    mails = mails if isinstance(mails, list) else [mails]
    return Item(
        summary=text("SUMMARY"),
        uid=text("UID"),
        start=start,
        end=end,
        location=text("LOCATION"),
        text="\n".join(text(name) for name in ("SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT")),
        attendees=frozenset(_mail(str(mail)) for mail in mails[:1000]),
        rule=_rule(str(_raw_rule(component)), broken),
        alarms=frozenset(_alarms(component, start)),
        status=text("STATUS").upper(),
        priority=int(text("PRIORITY")) if re.fullmatch(r"\d{1,2}", text("PRIORITY")) else None,
        broken=tuple(broken),
    )


def _raw_rule(component: Component) -> str:
    rule = component.get("RRULE")
    if rule is None:
        return ""
    rule = rule[0] if isinstance(rule, list) and rule else rule
    raw = rule.to_ical()
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)


def _alarms(component: Component, start: dt.date | dt.datetime | None) -> list[int]:
    """Minutes before the start."""
    minutes = []
    for alarm in component.subcomponents[:50]:
        if alarm.name != "VALARM" or alarm.get("TRIGGER") is None:
            continue
        try:
            trigger: Any = alarm["TRIGGER"]
            when = trigger.dt
        except Exception:
            continue
        if isinstance(when, dt.timedelta):
            minutes.append(round(-when.total_seconds() / 60))
        elif isinstance(when, dt.datetime) and isinstance(start, dt.datetime) and start.tzinfo:
            aware = when if when.tzinfo else when.replace(tzinfo=dt.UTC)
            minutes.append(round((start - aware).total_seconds() / 60))
    return minutes


def _mail(address: str) -> str:
    return re.sub(r"^mailto:", "", address.strip(), flags=re.I).casefold()


def _rule(text: str, broken: list[str]) -> dict[str, tuple[str, ...]]:
    """The parts of a recurrence rule with defaults left out, values sorted."""
    parts: dict[str, tuple[str, ...]] = {}
    for part in text.removeprefix("RRULE:").split(";"):
        name, _, values = part.partition("=")
        if not part.strip():
            continue
        if not values:
            broken.append(f"RRULE is not readable: {text[:40]}")
        parts[name.strip().upper()] = tuple(sorted(v.strip().upper() for v in values.split(",")))
    for name, default in (("INTERVAL", ("1",)), ("WKST", ("MO",))):
        if parts.get(name) == default:
            del parts[name]
    until = parts.get("UNTIL")
    if until:
        parts["UNTIL"] = (until[0][:8],)
    return parts


# --- what is expected ------------------------------------------------------------------------


def _moment(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date) else value


def _readable(text: str) -> str:
    if as_date(text) is None:
        raise ValueError(f"{text!r} is not a date or time: write 2026-03-01 or 2026-03-01T09:00")
    return text


def _zone(name: str) -> str:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is not a time zone: write for example Europe/Berlin") from None
    return name


def _rule_text(text: str) -> str:
    broken: list[str] = []
    if "FREQ" not in _rule(text, broken) or broken:
        raise ValueError(
            f"{text!r} is not a recurrence rule: write for example FREQ=WEEKLY;BYDAY=MO"
        )
    return text


Moment = Annotated[str, BeforeValidator(_moment), AfterValidator(_readable)]
Zone = Annotated[str, AfterValidator(_zone)]
Rule = Annotated[str, AfterValidator(_rule_text)]
Wording = Annotated[list[str], Field(min_length=1)]


class ExpectedTodo(StrictModel):
    """A to-do: `summary` (one wording or several that will do), `due`, `status`, `priority`."""

    summary: str | Wording
    due: Moment | None = None
    status: str | None = None
    priority: Annotated[int, Field(ge=0, le=9)] | None = None
    contains: list[str] = Field(default_factory=list)
    uid: str | None = None

    def differences(self, item: Item, zone: str | None) -> list[str] | None:
        alike = _says(item.summary, self.summary) or (self.uid is not None and self.uid == item.uid)
        if not alike:
            return None
        wrong = _wording(self, item)
        if self.due is not None:
            wrong += _when("due", item.end, self.due, zone)
        if self.status is not None and self.status.upper() != item.status:
            wrong.append(f"status {self.status} wanted, found {item.status or 'none'}")
        if self.priority is not None and self.priority != item.priority:
            wrong.append(f"priority {self.priority} wanted, found {item.priority}")
        return wrong

    def __str__(self) -> str:
        return self.summary if isinstance(self.summary, str) else self.summary[0]


class ExpectedEvent(StrictModel):
    """An event. `summary` is one wording or several that will do; `end` of an all-day event is
    its last day; `alarm_minutes` counts before the start; `contains` looks at the summary, the
    description and the location; `attendees` are all addresses."""

    summary: str | Wording | None = None
    start: Moment
    end: Moment | None = None
    duration_minutes: Annotated[int, Field(ge=0)] | None = None
    all_day: bool | None = None
    location: str | Wording | None = None
    attendees: list[str] | None = None
    rrule: Rule | None = None
    contains: list[str] = Field(default_factory=list)
    alarm_minutes: int | None = None
    uid: str | None = None

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if self.end is not None and self.duration_minutes is not None:
            raise ValueError("give either end or duration_minutes")
        day = not isinstance(as_date(self.start), dt.datetime)
        if self.all_day is False and day:
            raise ValueError(f"start {self.start} has no time, but all_day is false")
        if self.all_day and not day:
            raise ValueError(f"start {self.start} has a time, but all_day is true")
        if day and self.duration_minutes is not None:
            raise ValueError("an all-day event has no duration_minutes: give its last day as end")
        if self.end is not None and isinstance(as_date(self.end), dt.datetime) == day:
            raise ValueError("start and end must both be days or both have a time")
        return self

    def differences(self, item: Item, zone: str | None) -> list[str] | None:
        same_start = not _when("start", item.start, self.start, zone)
        alike = self.summary is not None and _says(item.summary, self.summary)
        if not (same_start or alike or (self.uid is not None and self.uid == item.uid)):
            return None
        wrong = [*item.broken, *_wording(self, item)]
        if not same_start and not item.broken:
            wrong += _when("start", item.start, self.start, zone)
        wrong += self._length(item, zone)
        if self.location is not None and not _says(item.location, self.location):
            wrong.append(f"location {_first(self.location)} wanted, found {item.location[:40]!r}")
        if self.attendees is not None and {_mail(a) for a in self.attendees} != item.attendees:
            found = ", ".join(sorted(item.attendees))
            wrong.append(f"attendees {', '.join(self.attendees)} wanted, found {found or 'none'}")
        if self.rrule is not None and _rule(self.rrule, []) != item.rule:
            found = ";".join(f"{name}={','.join(v)}" for name, v in item.rule.items())
            wrong.append(f"rule {self.rrule} wanted, found {found or 'none'}")
        if self.alarm_minutes is not None and self.alarm_minutes not in item.alarms:
            found = ", ".join(map(str, sorted(item.alarms)))
            wrong.append(f"alarm {self.alarm_minutes} min before wanted, found {found or 'none'}")
        return wrong

    def _length(self, item: Item, zone: str | None) -> list[str]:
        if self.end is not None:
            end = item.end
            if end is not None and not isinstance(end, dt.datetime):
                end -= dt.timedelta(days=1)
            elif end is None and not isinstance(item.start, dt.datetime):
                end = item.start
            return _when("end", end, self.end, zone)
        if self.duration_minutes is not None:
            minutes = _minutes(item, zone)
            if minutes != self.duration_minutes:
                found = "no length" if minutes is None else str(minutes)
                return [f"{self.duration_minutes} minutes wanted, found {found}"]
        return []

    def __str__(self) -> str:
        return f"{_first(self.summary)} {self.start}" if self.summary else f"at {self.start}"


def _first(wording: str | Sequence[str]) -> str:
    return wording if isinstance(wording, str) else wording[0]


def _says(found: str, wording: str | Sequence[str]) -> bool:
    return any(equal(found, one) for one in ([wording] if isinstance(wording, str) else wording))


def _wording(expected: ExpectedEvent | ExpectedTodo, item: Item) -> list[str]:
    wrong = []
    if expected.summary is not None and not _says(item.summary, expected.summary):
        wrong.append(f"summary {_first(expected.summary)!r} wanted, found {item.summary[:40]!r}")
    wrong += [
        f"{phrase!r} is not in it" for phrase in expected.contains if not finds(phrase, item.text)
    ]
    if expected.uid is not None and expected.uid != item.uid:
        wrong.append(f"uid {expected.uid} wanted, found {item.uid[:40] or 'none'}")
    return wrong


def _when(
    label: str, found: dt.date | dt.datetime | None, expected: str, zone: str | None
) -> list[str]:
    wanted = as_date(expected)
    if _same(found, wanted, zone):
        return []
    return [f"{label} {expected} wanted, found {found if found is not None else 'none'}"]


def _same(found: object, wanted: object, zone: str | None) -> bool:
    """Days are days; times are instants, local ones in `zone` when there is one."""
    if not isinstance(found, dt.datetime) or not isinstance(wanted, dt.datetime):
        return type(found) is type(wanted) and found == wanted
    try:
        local = zoneinfo.ZoneInfo(zone) if zone else None
        left, right = _aware(found, local), _aware(wanted, local)
        if left.tzinfo is None or right.tzinfo is None:
            return left.replace(tzinfo=None) == right.replace(tzinfo=None)
        return left - right == dt.timedelta(0)
    except OverflowError:
        return False


def _aware(moment: dt.datetime, local: dt.tzinfo | None) -> dt.datetime:
    return moment if moment.tzinfo is not None or local is None else moment.replace(tzinfo=local)


def _minutes(item: Item, zone: str | None) -> int | None:
    if not isinstance(item.start, dt.datetime) or not isinstance(item.end, dt.datetime):
        return None
    local = zoneinfo.ZoneInfo(zone) if zone else dt.UTC
    try:
        start, end = (_aware(one, local).astimezone(dt.UTC) for one in (item.start, item.end))
    except OverflowError:
        return None
    return round((end - start).total_seconds() / 60)


class IcsCheck(CheckBody):
    """Events and to-dos of an .ics file; with `exactly` no others.

    Times are compared as instants. `timezone` is that of times without a zone, in the file and
    in the check; without it such times are compared as written.
    """

    kind: ClassVar[str] = "ics"

    path: str
    events: list[ExpectedEvent] | None = None
    todos: list[ExpectedTodo] | None = None
    exactly: bool = True
    timezone: Zone | None = None

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if self.events is None and self.todos is None:
            raise ValueError("nothing is asserted: give events or todos")
        if not self.exactly and not (self.events or self.todos):
            raise ValueError("nothing is asserted: empty lists need exactly: true")
        return self

    def affirms(self) -> bool:
        return bool(self.events or self.todos)

    def literals(self) -> Sequence[str]:
        wordings = [event.summary for event in self.events or [] if event.summary is not None]
        wordings += [todo.summary for todo in self.todos or []]
        return list(dict.fromkeys(_first(wording) for wording in wordings))

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        try:
            events, todos = read_calendar(content)
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        findings = [finding(True, f"{self.path} is a valid calendar", required=True)]
        if self.events is not None:
            pairing = Pairing[ExpectedEvent, Item](
                "event",
                lambda expected, item: expected.differences(item, self.timezone),
                str,
                lambda item: f"{item.summary[:50]} {item.start or ''}",
            )
            findings += item_findings(
                pairing, self.events, events, where=self.path, exactly=self.exactly
            )[0]
        if self.todos is not None:
            todo = Pairing[ExpectedTodo, Item](
                "to-do",
                lambda expected, item: expected.differences(item, self.timezone),
                str,
                lambda item: item.summary[:50],
            )
            findings += item_findings(
                todo, self.todos, todos, where=self.path, exactly=self.exactly
            )[0]
        return findings
