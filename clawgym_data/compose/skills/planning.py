"""Calendars, rules to follow, a memory to keep up to date."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.skills.folders import list_deliverable, listing
from clawgym_data.compose.values import Table, Value, plain
from clawgym_data.compose.world import World

STAMP = "%Y%m%dT%H%M%S"


def calendar_text(events: Sequence[tuple[str, datetime, datetime]]) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//house//calendar//EN"]
    for number, (summary, start, end) in enumerate(events, 1):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{start.strftime(STAMP)}-{number}@house.example",
            f"DTSTAMP:{start.strftime(STAMP)}Z",
            f"DTSTART:{start.strftime(STAMP)}",
            f"DTEND:{end.strftime(STAMP)}",
            f"SUMMARY:{summary}",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


helper(
    "write_events",
    """
    def write_events(path, events):
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//reference//EN"]
        for number, event in enumerate(events, 1):
            lines += ["BEGIN:VEVENT", f"UID:event-{number}@house.example"]
            lines += ["DTSTAMP:20260101T000000Z"]
            for name, value in event.items():
                lines.append(f"{name}:{value}")
            lines.append("END:VEVENT")
        Path(folder(path)).write_text("\\r\\n".join([*lines, "END:VCALENDAR", ""]))
    """,
    ["from pathlib import Path"],
    ["folder"],
)
helper(
    "busy_times",
    """
    def busy_times(path):
        busy, start = [], None
        for line in Path(path).read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "DTSTART":
                start = datetime.strptime(value, "%Y%m%dT%H%M%S")
            elif name == "DTEND":
                busy.append((start, datetime.strptime(value, "%Y%m%dT%H%M%S")))
        return busy
    """,
    ["from datetime import datetime, timedelta", "from pathlib import Path"],
)

MATTERS = ("rota review", "budget talk", "handover", "supplier visit", "planning round", "debrief")
ROUTINE = ("call", "stand-up", "site visit", "training", "interview", "desk duty", "review")


@skill("find-free-slot", "schedule-events", takes=(), gives=None, sink=True, weight=1.5)
@dataclass(frozen=True)
class FindFreeSlot(Skill):
    """The first time within working hours at which nobody is busy, as an event."""

    folder: str
    path: str
    people: tuple[str, ...]
    calendars: tuple[tuple[tuple[str, datetime, datetime], ...], ...]
    monday: date
    minutes: int
    summary: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        names = sorted({n.split()[0] for n in world.people if n.split()[0].isascii()})
        names = [name for name in names if name.isalpha()]
        if len(names) < 4:
            return None
        people = tuple(chance.sample(names, chance.randint(2, 4)))
        monday = world.today + timedelta(days=7 - world.today.weekday())
        calendars = []
        for _ in people:
            events = []
            for day in range(3):
                at = datetime.combine(monday + timedelta(days=day), datetime.min.time())
                at += timedelta(hours=9)
                while at.hour < 17:
                    length = timedelta(minutes=chance.choice((30, 60, 60, 90, 120)))
                    if chance.random() < 0.62 - 0.15 * day and (at + length).hour < 18:
                        events.append((chance.choice(ROUTINE), at, at + length))
                    at += length if events and events[-1][2] > at else timedelta(minutes=30)
            calendars.append(tuple(events))
        folder = world.path(chance.choice(("calendars", "team/calendars")), "")
        summary = f"{chance.choice(MATTERS).capitalize()}"
        chosen = cls(
            folder,
            world.path("meeting", ".ics", "out", ""),
            people,
            tuple(calendars),
            monday,
            chance.choice((30, 45, 60, 90)),
            summary,
        )
        slot = chosen.slot()
        first = datetime.combine(monday, datetime.min.time()) + timedelta(hours=9)
        return chosen if slot is not None and slot > first else None

    def slot(self) -> datetime | None:
        """Scans minute by minute of the grid for the first free time."""
        length = timedelta(minutes=self.minutes)
        for day in range(5):
            opening = datetime.combine(self.monday + timedelta(days=day), datetime.min.time())
            for quarter in range(9 * 4, 17 * 4):
                start = opening + timedelta(minutes=15 * quarter)
                if start + length > opening + timedelta(hours=17):
                    break
                busy = (event for calendar in self.calendars for event in calendar)
                if all(end <= start or begin >= start + length for _, begin, end in busy):
                    return start
        return None

    def detail(self) -> str:
        return str(len(self.people))

    def apply(self, inputs: Sequence[Value]) -> Step:
        start = self.slot()
        assert start is not None
        event = {
            "summary": self.summary,
            "start": start.isoformat(),
            "end": (start + timedelta(minutes=self.minutes)).isoformat(),
        }
        check = {"ics": {"path": self.path, "events": [event]}, "weight": 2}
        who = ", ".join(self.people[:-1]) + " and " + self.people[-1]
        week = f"{self.monday.day} {self.monday:%B %Y}"
        do = (
            f"find the first {self.minutes} minutes in the week of Monday, {week} when {who} are "
            f"all free (their calendars are in `{self.folder}/`; Monday to Friday, 9:00 to 17:00, "
            "starting on a quarter of an hour) and write the meeting, called "
            f"“{self.summary}”, to `{self.path}`",
            f"put a meeting “{self.summary}” of {self.minutes} minutes into `{self.path}`, at the "
            f"earliest time in the week that begins on Monday, {week} that suits {who} by their "
            f"calendars in `{self.folder}/`, on a weekday between 9:00 and 17:00 and beginning on "
            "the quarter hour",
        )
        files = {
            f"{self.folder}/{name.lower()}.ics": calendar_text(calendar).encode()
            for name, calendar in zip(self.people, self.calendars, strict=True)
        }
        code = "\n".join(
            (
                f"«out» = [b for p in sorted(Path({self.folder!r}).glob('*.ics')) "
                "for b in busy_times(p)]",
                f"length = timedelta(minutes={self.minutes})",
                f"starts = [datetime({self.monday.year}, {self.monday.month}, {self.monday.day}) "
                "+ timedelta(days=d, hours=9, minutes=15 * q) for d in range(5) "
                "for q in range(32)]",
                "start = next(s for s in starts if s + length <= s.replace(hour=17, minute=0) and "
                "not any(b < s + length and s < e for b, e in «out»))",
                f"write_events({self.path!r}, [{{'SUMMARY': {self.summary!r}, "
                "'DTSTART': start.strftime('%Y%m%dT%H%M%S'), "
                "'DTEND': (start + length).strftime('%Y%m%dT%H%M%S')}])",
            )
        )
        output = Output(path=self.path, format="ics", note="One event, local times without zone.")
        deliver = Deliverable(self.path, do[0], (output,), (check,))
        return Step(None, Say(do=do), code, ("busy_times", "write_events"), files, deliver=deliver)


@skill("dates-to-calendar", "schedule-events", takes=(Table,), gives=None, sink=True)
@dataclass(frozen=True)
class DatesToCalendar(Skill):
    """Rows with a day become all-day events."""

    path: str
    day: str
    label: str
    word: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        days = [c.name for c in table.of_kind("date") if None not in table.values(c.name)]
        labels = [
            c.name
            for c in table.of_kind("id", "name")
            if len(set(table.values(c.name))) == len(table) and None not in table.values(c.name)
        ]
        if not days or not labels or not 2 <= len(table) <= 20 or table.grouped:
            return None
        path = world.path(f"{table.noun.plural}", ".ics", "out", "calendar")
        word = table.noun.singular.capitalize()
        return cls(path, world.random.choice(days), world.random.choice(labels), word)

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        events = [
            {"summary": f"{self.word} {row[self.label]}", "start": plain(row[self.day])}
            for row in table
        ]
        check = {
            "ics": {"path": self.path, "events": [{**e, "all_day": True} for e in events]},
            "weight": 2,
        }
        day, label = table.column(self.day), table.column(self.label)
        do = (
            f"make a calendar file `{self.path}` of {table.said}, one all-day event each on its "
            f"{day.label}, titled “{self.word} <{label.label}>”",
            f"enter {table.said} in `{self.path}` as all-day events on the {day.label}, each "
            f"called “{self.word}” and its {label.label}",
        )
        code = "\n".join(
            (
                f"write_events({self.path!r}, [{{'SUMMARY': {self.word + ' '!r} + "
                f"str(row[{self.label!r}]), 'DTSTART;VALUE=DATE': "
                f"row[{self.day!r}].strftime('%Y%m%d')}} for row in «0»])",
            )
        )
        output = Output(path=self.path, format="ics")
        deliver = Deliverable(self.path, table.said, (output,), (check,))
        return Step(None, Say(do=do), code, ("write_events", "date"), deliver=deliver)


KINDS = ("travel", "books", "tools", "catering", "software", "training")


@skill("apply-policy", "follow-policy", takes=(), gives=None, sink=True, weight=1.6)
@dataclass(frozen=True)
class ApplyPolicy(Skill):
    """Requests are approved, refused or passed on by the rules of the house."""

    policy: str
    requests: str
    path: str
    limit: int
    ceiling: int
    days: int
    refused_kind: str
    rows: tuple[tuple[str, str, str, int, date, date, bool], ...]
    """Number, person, kind, cents, asked on, needed on, whether an offer is attached."""
    currency: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        limit, ceiling = chance.choice((100, 150, 200, 250)), chance.choice((400, 500, 600, 800))
        days, refused = chance.choice((5, 7, 10, 14)), chance.choice(KINDS)
        rows = []
        for number in range(chance.randint(9, 14)):
            asked = world.day(3, 40)
            notice = chance.choice((days - 2, days - 1, days, days + 3, days + 12))
            top = chance.choice((limit, ceiling, ceiling * 2))
            cents = chance.randint(20_00, top * 100)
            kind = chance.choice([k for k in KINDS if k != refused] * 2 + [refused])
            offer = chance.random() < 0.6
            rows.append(
                (
                    f"R{201 + number}",
                    chance.choice(world.people),
                    kind,
                    cents,
                    asked,
                    asked + timedelta(days=notice),
                    offer,
                )
            )
        chosen = cls(
            world.path("spending rules", ".md", "docs", "policy"),
            world.path("requests", ".csv", "data", "inbox"),
            world.path("decisions", ".csv", "out", ""),
            limit,
            ceiling,
            days,
            refused,
            tuple(rows),
            world.currency,
        )
        seen = [chosen.decide(row)[1] for row in rows]
        return chosen if len(set(seen)) >= 4 and max(map(seen.count, seen)) <= 6 else None

    def decide(self, row: tuple[str, str, str, int, date, date, bool]) -> tuple[str, str]:
        _, _, kind, cents, asked, needed, offer = row
        if kind == self.refused_kind:
            return "refuse", "1"
        if (needed - asked).days < self.days:
            return "refuse", "2"
        if cents > self.limit * 100 and not offer:
            return "ask", "3"
        if cents > self.ceiling * 100:
            return "board", "4"
        return "approve", "5"

    def apply(self, inputs: Sequence[Value]) -> Step:
        money = self.currency
        rules = (
            f"# Rules for spending\n\nThe first rule that fits decides.\n\n"
            f"1. Nothing is bought under {self.refused_kind}: refuse.\n"
            f"2. Fewer than {self.days} days between the request and the day of need: refuse.\n"
            f"3. More than {self.limit} {money} without an offer attached: ask for the offer.\n"
            f"4. More than {self.ceiling} {money}: the board decides.\n"
            "5. Everything else: approve.\n\n"
            "A decision is written as `refuse`, `ask`, `board` or `approve`.\n"
        )
        columns = ("request", "person", "kind", "amount", "asked_on", "needed_on", "offer")
        table = [
            (n, who, kind, plain(Decimal(cents) / 100, 2), plain(a), plain(b), plain(offer))
            for n, who, kind, cents, a, b, offer in self.rows
        ]
        files = {self.policy: rules.encode(), self.requests: listing(columns, table)}
        wanted = [(row[0], *self.decide(row)) for row in self.rows]
        do = (
            f"decide the requests in `{self.requests}` by our rules in `{self.policy}` and put the "
            f"decisions into `{self.path}`, with the number of the rule that decided",
            f"go through `{self.requests}` and apply `{self.policy}` to each request: decision and "
            f"number of the rule go into `{self.path}`",
        )
        note = "One line per request; `decision` as the rules write it, `rule` its number."
        deliver = list_deliverable(
            self.path, ("request", "decision", "rule"), wanted, ("request",), note, do[0]
        )
        kinds: dict[str, Any] = {
            "request": "id", "person": "name", "kind": "category", "amount": "amount",
            "asked_on": "date", "needed_on": "date", "offer": "flag",
        }  # fmt: skip
        code = "\n".join(
            (
                f"«out» = rows_of_csv({self.requests!r}, {kinds!r})",
                "for row in «out»:",
                "    notice = (row['needed_on'] - row['asked_on']).days",
                f"    tests = [row['kind'] == {self.refused_kind!r}, notice < {self.days}, "
                f"row['amount'] > {self.limit} and not row['offer'], "
                f"row['amount'] > {self.ceiling}, True]",
                "    number = tests.index(True)",
                "    row['decision'] = ['refuse', 'refuse', 'ask', 'board', 'approve'][number]",
                "    row['rule'] = number + 1",
                f"write_csv({self.path!r}, «out», {{'request': 0, 'decision': 0, 'rule': 0}})",
            )
        )
        return Step(None, Say(do=do), code, ("rows_of_csv", "write_csv"), files, deliver=deliver)


TOPICS = {
    "paper supplier": ("Norwin Paper", "Halden & Co", "Papyra", "Greenleaf"),
    "room for the Monday round": ("the library", "room 12", "the annex", "the small hall"),
    "contact for the lift": ("Orsini Lifts", "the janitor", "Tallway Service", "the front desk"),
    "deadline for expense claims": ("the 5th", "the 10th", "the 15th", "the last day"),
    "colour for urgent notes": ("red", "orange", "yellow", "blue"),
    "password reset": ("by phone", "at the desk", "by form 7", "in person"),
    "backup of the till": ("daily", "weekly", "every evening", "twice a week"),
}


@skill("update-memory", "use-memory", takes=(), gives=None, sink=True, weight=1.6)
@dataclass(frozen=True)
class UpdateMemory(Skill):
    """What the daily notes changed is carried into the long-term notes."""

    path: str
    start: tuple[tuple[str, str], ...]
    days: tuple[tuple[date, tuple[tuple[str, str], ...]], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        topics = chance.sample(sorted(TOPICS), chance.randint(5, 7))
        known = {topic: chance.choice(TOPICS[topic]) for topic in topics[:-1]}
        state = dict(known)
        backs = sorted(chance.sample(range(1, 25), chance.randint(3, 4)), reverse=True)
        days = []
        changing = chance.sample(topics[:-1], 3)
        for number, back in enumerate(backs):
            changes = []
            for topic in {0: changing[:2], 1: [topics[-1]], 2: changing[1:]}.get(number, []):
                value = chance.choice([v for v in TOPICS[topic] if v != state.get(topic)])
                state[topic] = value
                changes.append((topic, value))
            days.append((world.today - timedelta(days=back), tuple(changes)))
        path = world.path("house-facts", ".md", "", "notes")
        return cls(path, tuple(known.items()), tuple(days))

    def text(self, facts: Sequence[tuple[str, str]]) -> str:
        return "# Facts of the house\n\n" + "".join(f"- {t}: {v}\n" for t, v in facts)

    def apply(self, inputs: Sequence[Value]) -> Step:
        state = dict(self.start)
        files = {self.path: self.text(self.start).encode()}
        for day, changes in self.days:
            lines = [f"# {day.isoformat()}", "", "- Quiet morning, two calls."]
            for topic, value in changes:
                state[topic] = value
                lines.append(f"- Changed: {topic} is now {value}.")
            files[f"diary/{day.isoformat()}.md"] = ("\n".join(lines) + "\n").encode()
        expected = f"expected/{self.path}"
        wanted = self.text(list(state.items()))
        check = {"text": {"path": self.path, "equals_file": expected}, "weight": 2}
        do = (
            f"bring `{self.path}` up to date with what the notes in `diary/` say has changed: a "
            "later day overrides an earlier one, facts keep their place, new ones go to the end in "
            "the same form (`- topic: value`)",
            f"carry the changes from the daily notes in `diary/` over into `{self.path}`, the "
            "latest word on each topic counts; change the value where the topic is listed and add "
            "new topics at the end, written like the others (`- topic: value`)",
        )
        code = "\n".join(
            (
                f"«out» = Path({self.path!r}).read_text().splitlines()",
                "for path in sorted(Path('diary').glob('*.md')):",
                "    for topic, value in re.findall(r'Changed: (.+) is now (.+)\\.', "
                "path.read_text()):",
                "        line = f'- {topic}: {value}'",
                "        found = [i for i, old in enumerate(«out») "
                "if old.startswith(f'- {topic}: ')]",
                "        if found:",
                "            «out»[found[0]] = line",
                "        else:",
                "            «out».append(line)",
                f"write_lines({self.path!r}, «out»)",
            )
        )
        deliver = Deliverable(
            self.path,
            do[0],
            (),
            (check,),
            hidden={expected: wanted.encode()},
            editable=(self.path,),
        )
        needs = ("path", "re", "write_lines")
        return Step(None, Say(do=do), code, needs, files, deliver=deliver)
