"""Texts to change without harm: terms, redactions, change logs, parts, figures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.skills.folders import list_deliverable
from clawgym_data.compose.values import Fact, Facts, Value, plain
from clawgym_data.compose.world import World

SUBJECTS = (
    "booking",
    "billing",
    "members",
    "delivery",
    "returns",
    "opening hours",
    "keys",
    "safety",
)
STATEMENTS = (
    "Call {a} before noon if the {s} list is not complete.",
    "{a} keeps the {s} folder; ask there first.",
    "New entries for {s} go through {b}, never directly to the shop.",
    "When {b} is closed, {a} takes over {s}.",
    "Everything about {s} is in {b}, also the forms of last year.",
    "{a} and {b} agree on {s} once a month.",
    "The {s} rules do not change for visitors.",
    "Nobody needs a form for {s} on short days.",
)
OLD_TERMS = ("Frontdesk", "Blue Room", "Helpline", "Storehouse", "Regional Unit", "Paper Club")
NEW_TERMS = ("Reception", "Meeting Room 2", "Service Desk", "Depot", "Area Office", "Print Team")


def text_checks(files: Mapping[str, str]) -> tuple[tuple[Mapping[str, Any], ...], dict[str, bytes]]:
    """One check per file on its whole text, and the expected files."""
    checks, hidden = [], {}
    for path, text in files.items():
        expected = f"expected/{path}"
        hidden[expected] = text.encode()
        checks.append({"text": {"path": path, "equals_file": expected, "case": True}, "weight": 1})
    return tuple(checks), hidden


@skill("replace-terms", "edit-text", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class ReplaceTerms(Skill):
    """Old names give way to new ones in a set of documents, by a list."""

    folder: str
    terms_path: str
    terms: tuple[tuple[str, str], ...]
    documents: tuple[tuple[str, str], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        pairs = list(zip(OLD_TERMS, NEW_TERMS, strict=True))
        chosen = chance.sample(pairs, chance.randint(2, 4))
        others = [old for old, _ in pairs if (old, dict(pairs)[old]) not in chosen]
        documents = []
        for subject in chance.sample(SUBJECTS, chance.randint(3, 5)):
            lines = [f"# {subject.capitalize()}", ""]
            for statement in chance.sample(STATEMENTS, chance.randint(4, 6)):
                a = chance.choice(chosen)[0]
                b = chance.choice([*others, chance.choice(chosen)[0]])
                lines += [statement.format(a=a, b=b, s=subject), ""]
            documents.append((f"{subject.replace(' ', '-')}.md", "\n".join(lines)))
        if not all(any(old in text for _, text in documents) for old, _ in chosen):
            return None
        folder = world.path(chance.choice(("handbook", "guide", "manual")), "")
        terms_path = world.path("terms", ".csv", "docs", "")
        return cls(folder, terms_path, tuple(chosen), tuple(documents))

    def apply(self, inputs: Sequence[Value]) -> Step:
        before = {f"{self.folder}/{name}": text for name, text in self.documents}
        after = {}
        for path, text in before.items():
            for old, new in self.terms:
                text = text.replace(old, new)
            if text != before[path]:
                after[path] = text
        checks, hidden = text_checks(after)
        listing = "old,new\n" + "".join(f"{old},{new}\n" for old, new in self.terms)
        files = {path: text.encode() for path, text in before.items()}
        files[self.terms_path] = listing.encode()
        do = (
            f"in the documents in `{self.folder}/`, replace every old name in `{self.terms_path}` "
            "by the new one, exactly as written there, and touch nothing else",
            f"apply the renamings listed in `{self.terms_path}` (old,new) to all files in "
            f"`{self.folder}/`; apart from these names the texts stay as they are",
        )
        code = "\n".join(
            (
                f"with open({self.terms_path!r}, newline='') as file:",
                "    «out» = list(csv.DictReader(file))",
                f"for path in Path({self.folder!r}).glob('*.md'):",
                "    text = path.read_text()",
                "    for row in «out»:",
                "        text = re.sub(re.escape(row['old']), row['new'], text)",
                "    path.write_text(text)",
            )
        )
        deliver = Deliverable(
            self.folder, do[0], (), checks, hidden=hidden, editable=(f"{self.folder}/*",)
        )
        return Step(None, Say(do=do), code, ("csv", "path", "re"), files, deliver=deliver)


@skill("redact-contacts", "edit-text", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class RedactContacts(Skill):
    """A copy of a text without e-mail addresses and telephone numbers."""

    path: str
    copy: str
    text: str
    contacts: tuple[tuple[str, str], ...]
    """Each address or number in the text, and what stands in its place."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        lines = [f"Notes on {chance.choice(SUBJECTS)}", ""]
        people = [name for name in world.people if len(name.split()) == 2][:6]
        if len(people) < 4:
            return None
        contacts: list[tuple[str, str]] = []
        for name in people:
            first, last = re.sub(r"[^a-z ]", "", name.lower()).split() or ("a", "b")
            mail = f"{first}.{last}@{chance.choice(('example.org', 'mail.example.com'))}"
            digits = [str(chance.randint(2, 9)) for _ in range(9)]
            phone = f"+4{chance.choice('149')} {''.join(digits[:2])} {''.join(digits[2:5])} "
            phone += "".join(digits[5:])
            contacts += [(mail, "[e-mail]"), (phone, "[phone]")]
            lines.append(
                chance.choice(
                    (
                        f"{name} ({mail}) wants an answer by page {chance.randint(2, 30)}.",
                        f"Reached {name} on {phone}; room {chance.randint(101, 330)} is fine.",
                        f"{name}: {phone}, or in writing to {mail}.",
                        f"Invoice {chance.randint(10000, 99999)} goes to {mail}, copy to {name}.",
                    )
                )
            )
        text = "\n".join(lines) + "\n"
        if text.count("@") < 2 or text.count("+") < 2:
            return None
        path = world.path("call notes", ".txt", "notes", "")
        return cls(
            path, world.path("call notes public", ".txt", "out", "public"), text, tuple(contacts)
        )

    def apply(self, inputs: Sequence[Value]) -> Step:
        wanted = self.text
        for contact, shown in self.contacts:
            wanted = wanted.replace(contact, shown)
        checks, hidden = text_checks({self.copy: wanted})
        do = (
            f"make a copy of `{self.path}` that may be shown to others, `{self.copy}`: every "
            "e-mail address becomes `[e-mail]`, every telephone number (they all begin with +) "
            "`[phone]`, and the rest stays word for word",
            f"write `{self.copy}`, the same text as `{self.path}` but with `[e-mail]` for each "
            "e-mail address and `[phone]` for each telephone number (all begin with +); other "
            "numbers stay",
        )
        code = "\n".join(
            (
                f"«out» = Path({self.path!r}).read_text()",
                "«out» = re.sub(r'[\\w.-]+@[\\w-]+(?:\\.[\\w-]+)+', '[e-mail]', «out»)",
                "«out» = re.sub(r'\\+[0-9][0-9 ]+[0-9]', '[phone]', «out»)",
                f"Path(folder({self.copy!r})).write_text(«out»)",
            )
        )
        output = Output(path=self.copy, format="text")
        deliver = Deliverable(self.copy, do[0], (output,), checks, hidden=hidden)
        files = {self.path: self.text.encode()}
        return Step(None, Say(do=do), code, ("path", "folder", "re"), files, deliver=deliver)


TASKS = (
    "order new filters",
    "send the minutes",
    "check the alarm",
    "book the hall",
    "update the price list",
    "call the insurer",
    "print the badges",
    "ask for two offers",
)


@skill("collect-actions", "track-tasks", takes=(), gives=None, sink=True, weight=1.2)
@dataclass(frozen=True)
class CollectActions(Skill):
    """Open actions from the minutes of several meetings, as one list."""

    folder: str
    path: str
    minutes: tuple[tuple[str, str], ...]
    actions: tuple[tuple[str, str, str, bool], ...]
    """Meeting's day, who, what, and whether it is done."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        people = sorted({name.split()[0] for name in world.people if name.split()[0].isalpha()})
        if len(people) < 4:
            return None
        minutes, actions = [], []
        tasks = chance.sample(TASKS, len(TASKS))
        backs = sorted(chance.sample(range(5, 60), 3), reverse=True)
        for back in backs:
            day = world.day(back, back).isoformat()
            lines = [f"# Meeting of {day}", "", f"Chair: {chance.choice(people)}", ""]
            for _ in range(2 if back != backs[-1] else 3):
                what, who, done = tasks.pop(), chance.choice(people), chance.random() < 0.3
                lines.append(f"{chance.choice(('Talked about', 'News on'))} the rota. Nothing new.")
                lines.append(f"- [{'x' if done else ' '}] {who}: {what}")
                actions.append((day, who, what, done))
            minutes.append((f"{day}.md", "\n".join(lines) + "\n"))
        if not 3 <= sum(not done for *_, done in actions) < len(actions):
            return None
        folder = world.path(chance.choice(("minutes", "meetings")), "")
        path = world.path("open actions", ".csv", "out", "")
        return cls(folder, path, tuple(minutes), tuple(actions))

    def apply(self, inputs: Sequence[Value]) -> Step:
        rows = [(day, who, what) for day, who, what, done in self.actions if not done]
        do = (
            f"collect the open actions (the unticked boxes) from the minutes in `{self.folder}/` "
            f"in `{self.path}`",
            f"go through the minutes in `{self.folder}/` and list in `{self.path}` what is still "
            "to be done, that is every box without a tick",
        )
        note = (
            "`meeting` is the day of the meeting (YYYY-MM-DD), `action` worded as in the minutes."
        )
        columns = ("meeting", "person", "action")
        deliver = list_deliverable(self.path, columns, rows, ("action",), note, do[0])
        code = "\n".join(
            (
                "«out» = []",
                f"for path in sorted(Path({self.folder!r}).glob('*.md')):",
                "    for line in path.read_text().splitlines():",
                "        if line.startswith('- [ ] '):",
                "            who, what = line[6:].split(': ', 1)",
                "            «out».append({'meeting': path.stem, 'person': who, 'action': what})",
                f"write_csv({self.path!r}, «out», {{'meeting': 0, 'person': 0, 'action': 0}})",
            )
        )
        files = {f"{self.folder}/{name}": text.encode() for name, text in self.minutes}
        return Step(None, Say(do=do), code, ("path", "write_csv"), files, deliver=deliver)


CHANGES = (
    "Export keeps the order of the columns",
    "Dates are shown in the reader's language",
    "No more empty pages at the end",
    "Search finds names with accents",
    "Faster start with large folders",
    "Totals agree with the printed list",
)


@skill("release-changelog", "edit-text", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class ReleaseChangelog(Skill):
    """What was unreleased becomes a version with its day; an empty heading stays on top."""

    path: str
    text: str
    version: str
    day: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        changes = chance.sample(CHANGES, 6)
        cut = chance.randint(2, 4)
        major, minor = chance.randint(0, 3), chance.randint(1, 9)
        lines = ["# Changes", "", "## Unreleased", "", *(f"- {c}" for c in changes[:cut]), ""]
        lines += [f"## {major}.{minor}.0 ({world.day(60, 120).isoformat()})", ""]
        lines += [*(f"- {c}" for c in changes[cut:])]
        path = world.path("CHANGELOG", ".md", "")
        version = f"{major}.{minor + 1}.0"
        return cls(path, "\n".join(lines) + "\n", version, world.today.isoformat())

    def apply(self, inputs: Sequence[Value]) -> Step:
        head = "## Unreleased\n"
        wanted = self.text.replace(head, f"{head}\n## {self.version} ({self.day})\n")
        checks, hidden = text_checks({self.path: wanted})
        do = (
            f"prepare the release {self.version} of {self.day} in `{self.path}`: what is under "
            f"Unreleased moves below a new heading `## {self.version} ({self.day})`, the heading "
            "Unreleased stays above it with nothing under it, the older versions stay as they are",
        )
        code = "\n".join(
            (
                f"«out» = Path({self.path!r}).read_text().splitlines()",
                "at = «out».index('## Unreleased')",
                f"«out»[at + 1 : at + 1] = ['', {f'## {self.version} ({self.day})'!r}]",
                f"write_lines({self.path!r}, «out»)",
            )
        )
        deliver = Deliverable(self.path, do[0], (), checks, hidden=hidden, editable=(self.path,))
        files = {self.path: self.text.encode()}
        return Step(None, Say(do=do), code, ("path", "write_lines"), files, deliver=deliver)


@skill("split-document", "format-document", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class SplitDocument(Skill):
    """A long document becomes one file per chapter."""

    path: str
    folder: str
    chapters: tuple[tuple[str, str], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        chapters = []
        for subject in chance.sample(SUBJECTS, chance.randint(4, 6)):
            lines = [
                s.format(a=chance.choice(NEW_TERMS), b=chance.choice(NEW_TERMS), s=subject)
                for s in chance.sample(STATEMENTS, chance.randint(2, 4))
            ]
            chapters.append((subject.title(), "\n\n".join(lines)))
        path = world.path(chance.choice(("handbook", "house guide")), ".md", "docs", "")
        return cls(path, world.path("chapters", "", "docs", "out"), tuple(chapters))

    def apply(self, inputs: Sequence[Value]) -> Step:
        body = "".join(f"\n## {title}\n\n{text}\n" for title, text in self.chapters)
        parts = {
            f"{self.folder}/{n:02d}-{title.lower().replace(' ', '-')}.md": f"# {title}\n\n{text}\n"
            for n, (title, text) in enumerate(self.chapters, 1)
        }
        checks, hidden = text_checks(parts)
        listing = sorted(path.removeprefix(f"{self.folder}/") for path in parts)
        exact = {"files": {"exactly": {self.folder: listing}}, "gate": True}
        example = f"01-{self.chapters[0][0].lower().replace(' ', '-')}.md"
        do = (
            f"split `{self.path}` into one file per chapter (second-level heading) in "
            f"`{self.folder}/`, numbered and named by the chapter like `{self.folder}/{example}` "
            "(small letters, hyphens for spaces); in each file the chapter's heading becomes the "
            "first-level heading and its text stays as it is",
        )
        code = "\n".join(
            (
                f"«out» = Path({self.path!r}).read_text().split('\\n## ')[1:]",
                "for number, part in enumerate(«out», 1):",
                "    title = part.splitlines()[0]",
                "    name = f'{number:02d}-' + title.lower().replace(' ', '-') + '.md'",
                f"    Path(folder({self.folder + '/'!r} + name)).write_text("
                "'# ' + part.strip() + '\\n')",
            )
        )
        outputs = tuple(Output(path=path, format="markdown") for path in parts)
        deliver = Deliverable(self.folder, do[0], outputs, (*checks, exact), hidden=hidden)
        files = {self.path: f"# The guide\n{body}".encode()}
        return Step(None, Say(do=do), code, ("path", "folder"), files, deliver=deliver)


@skill("correct-figures", "edit-text", takes=(Facts,), gives=None, sink=True, weight=1.2)
@dataclass(frozen=True)
class CorrectFigures(Skill):
    """A draft holds outdated figures; the right ones take their places."""

    path: str
    old: tuple[str, ...]
    """The outdated value of each fact, as the draft writes it."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        old = []
        for fact in facts.facts:
            shown = plain(fact.value, fact.decimals)
            digits = [i for i, c in enumerate(shown) if c.isdigit()]
            if not digits or (not isinstance(fact.value, int) and "." not in shown):
                return None
            at = world.random.choice(digits)
            other = world.random.choice([d for d in "123456789" if d != shown[at]])
            old.append(shown[:at] + other + shown[at + 1 :])
        if not 1 <= len(old) <= 4:
            return None
        path = world.path(f"{facts.about} draft", ".md", "drafts", "report")
        return cls(path, tuple(old))

    def text(self, facts: Facts, values: Sequence[str]) -> str:
        lines = [f"# Draft on the {facts.about}", "", "Checked against the list of last week.", ""]
        for fact, value in zip(facts.facts, values, strict=True):
            unit = f" {fact.unit}" if fact.unit else ""
            lines.append(f"- {self.label(fact)}: {value}{unit}")
        return "\n".join([*lines, "", "Questions to the office, please."]) + "\n"

    @staticmethod
    def label(fact: Fact) -> str:
        label = fact.asked.removeprefix("the ").replace("their ", "")
        return label[:1].upper() + label[1:]

    def apply(self, inputs: Sequence[Value]) -> Step:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        right = [plain(fact.value, fact.decimals) for fact in facts.facts]
        before, after = self.text(facts, self.old), self.text(facts, right)
        checks, hidden = text_checks({self.path: after})
        asked = " and ".join(fact.asked for fact in facts.facts)
        do = (
            f"put the right figures into `{self.path}`: it still has outdated values for {asked}; "
            "write numbers the way they are written there and leave the rest of the text alone",
            f"correct the figures in `{self.path}` ({asked}), in the notation that is used there, "
            "and change nothing else",
        )
        code = [f"«out» = Path({self.path!r}).read_text()"]
        for fact, old in zip(facts.facts, self.old, strict=True):
            line = f"- {self.label(fact)}: "
            shown = f"plain(«0»[{fact.name!r}], {fact.decimals})"
            code.append(f"«out» = «out».replace({line + old!r}, {line!r} + {shown})")
        code.append(f"Path({self.path!r}).write_text(«out»)")
        deliver = Deliverable(self.path, asked, (), checks, hidden=hidden, editable=(self.path,))
        files = {self.path: before.encode()}
        return Step(None, Say(do=do), "\n".join(code), ("path", "plain"), files, deliver=deliver)
