"""Mail to answer and to draft, contacts to put in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.skills.messages import asked, fact_check
from clawgym_data.compose.values import Facts, Value
from clawgym_data.compose.world import World

DOMAIN = "example.org"


def address(name: str) -> str | None:
    """An address from a plain name; None where the name does not give one."""
    parts = re.sub(r"[^a-z ]", "", name.lower()).split()
    return f"{parts[0]}.{parts[-1]}@{DOMAIN}" if len(parts) == 2 and name.isascii() else None


helper(
    "write_mail",
    """
    def write_mail(path, to, subject, body, reply_to=None):
        message = EmailMessage()
        message["To"], message["Subject"] = to, subject
        if reply_to:
            message["In-Reply-To"] = reply_to
        message.set_content(body)
        Path(folder(path)).write_bytes(message.as_bytes())
    """,
    ["from email.message import EmailMessage", "from pathlib import Path"],
    ["folder"],
)


@skill("draft-mail", "draft-messages", takes=(Facts,), gives=None, sink=True, weight=1.3)
@dataclass(frozen=True)
class DraftMail(Skill):
    """An e-mail draft to a named person with the figures."""

    path: str
    to: str
    person: str
    words: int

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        known = [(name, mail) for name in world.people if (mail := address(name))]
        if not known:
            return None
        name, mail = world.random.choice(known)
        path = world.path(f"mail {facts.about}", ".eml", "drafts", "out")
        return cls(path, mail, name, world.random.choice((80, 100, 120)))

    def apply(self, inputs: Sequence[Value]) -> Step:
        (facts,) = inputs
        assert isinstance(facts, Facts)
        subject = f"Figures: {facts.about}"
        body = {"facts": [fact_check(f) for f in facts.facts], "words": {"max": self.words}}
        message = {"to": self.to, "subject": subject, "body": body}
        check = {"mail": {"path": self.path, "messages": [message]}, "weight": 2}
        lines = ["«out» = []"]
        for fact in facts.facts:
            unit = f" {fact.unit}" if fact.unit else ""
            shown = f"plain(«0»[{fact.name!r}], {fact.decimals})"
            lines.append(f"«out».append({f'The {fact.labels[0]}: '!r} + {shown} + {unit + '.'!r})")
        lines.append(f"write_mail({self.path!r}, {self.to!r}, {subject!r}, '\\n'.join(«out»))")
        do = (
            f"draft a mail to {self.person} ({self.to}) with the subject “{subject}” that says "
            f"{asked(facts)}, and save it as `{self.path}`",
            f"save a draft to {self.person}, {self.to}, as `{self.path}`: subject “{subject}”, and "
            f"in it {asked(facts)}",
        )
        output = Output(
            path=self.path, format="eml", note=f"The text has at most {self.words} words."
        )
        deliver = Deliverable(self.path, asked(facts), (output,), (check,))
        needs = ("write_mail", "plain")
        return Step(None, Say(do=do), "\n".join(lines), needs, deliver=deliver)


GOODS = (
    "chair hire",
    "projector",
    "coffee urn",
    "pavilion",
    "sound system",
    "cargo bike",
    "ladder",
    "badge printer",
)


@skill("answer-mails", "draft-messages", takes=(), gives=None, sink=True, weight=1.3)
@dataclass(frozen=True)
class AnswerMails(Skill):
    """Questions about prices get replies from the price list."""

    folder: str
    drafts: str
    prices_path: str
    currency: str
    prices: tuple[tuple[str, int], ...]
    mails: tuple[tuple[str, str, str, int], ...]
    """Sender's name, address, article, days."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        known = [(name, mail) for name in world.people if (mail := address(name))]
        if len(known) < 3:
            return None
        prices = {article: chance.randint(6, 90) for article in chance.sample(GOODS, 6)}
        mails = []
        for name, mail in chance.sample(known, chance.randint(2, min(4, len(known)))):
            mails.append((name, mail, chance.choice(sorted(prices)), chance.randint(2, 9)))
        inbox = world.path(chance.choice(("inbox", "mail/in")), "")
        drafts = world.path(chance.choice(("replies", "mail/drafts")), "")
        path = world.path("prices", ".md", "docs", "")
        currency = world.currency
        return cls(inbox, drafts, path, currency, tuple(prices.items()), tuple(mails))

    def apply(self, inputs: Sequence[Value]) -> Step:
        prices = dict(self.prices)
        table = "".join(f"| {a} | {p} |\n" for a, p in self.prices)
        head = f"| article | {self.currency} per day |\n|---|---|\n"
        text = f"# Hire prices\n\n{head}{table}\nFrom the fifth day on, each day costs half.\n"
        files = {self.prices_path: text.encode()}
        checks: list[Any] = []
        names = []
        for number, (name, mail, article, days) in enumerate(self.mails, 1):
            message = EmailMessage()
            message["From"] = f"{name} <{mail}>"
            message["To"] = f"office@{DOMAIN}"
            message["Subject"] = f"Hire of {article}"
            message["Message-ID"] = f"<q{number}.{days}@{DOMAIN}>"
            message.set_content(
                f"Good day,\n\nwhat does it cost to hire the {article} for {days} days?\n\n{name}\n"
            )
            files[f"{self.folder}/{number:02d}.eml"] = message.as_bytes()
            full, half = min(days, 4), max(days - 4, 0)
            total = prices[article] * full + prices[article] * half / 2
            fact = {
                "label": [article, "cost", "costs", "price", "total"],
                "value": total,
                "decimals": 2,
                "near": "sentence",
            }
            path = f"{self.drafts}/{number:02d}.eml"
            names.append(path)
            wanted = {
                "to": mail,
                "subject": [f"Re: Hire of {article}", f"Hire of {article}"],
                "in_reply_to": f"<q{number}.{days}@{DOMAIN}>",
                "body": {"facts": [fact], "words": {"max": 80}},
            }
            checks.append({"mail": {"path": path, "messages": [wanted]}, "weight": 1})
        do = (
            f"answer the mails in `{self.folder}/` with the prices in `{self.prices_path}`: a "
            f"draft each in `{self.drafts}/`, under the same file name, with the total price of "
            f"the hire in {self.currency}",
            f"write a reply to every mail in `{self.folder}/` (in `{self.drafts}/`, with the same "
            f"file name) that gives the total price in {self.currency} by `{self.prices_path}`",
        )
        rule = (
            "A reply goes to the sender, has the subject with “Re: ” in front, refers to the mail "
            "with In-Reply-To, and has 80 words at most."
        )
        outputs = tuple(Output(path=path, format="eml") for path in names)
        code = "\n".join(
            (
                f"rows = re.findall(r'(?m)^\\| ([a-z ]+) \\| (\\d+) \\|$', "
                f"Path({self.prices_path!r}).read_text())",
                "«out» = {article: Decimal(price) for article, price in rows}",
                f"for path in sorted(Path({self.folder!r}).glob('*.eml')):",
                "    mail = message_from_bytes(path.read_bytes(), policy=default)",
                "    article, days = re.search(r'hire the (.+) for (\\d+) days', "
                "mail.get_content()).groups()",
                "    total = sum(«out»[article] if day < 4 else «out»[article] / 2 "
                "for day in range(int(days)))",
                "    body = f'The total price for the {article} is {plain(total, 2)} "
                f"{self.currency}.'",
                f"    write_mail(f'{self.drafts}/{{path.name}}', parseaddr(mail['From'])[1], "
                "'Re: ' + mail['Subject'], body, mail['Message-ID'])",
            )
        )
        deliver = Deliverable(self.drafts, do[0], outputs, tuple(checks))
        needs = ("path", "re", "decimal", "plain", "write_mail", "read_mail")
        return Step(None, Say(do=do), code, needs, files, rules=(rule,), deliver=deliver)


helper(
    "read_mail",
    "",
    [
        "from email import message_from_bytes",
        "from email.policy import default",
        "from email.utils import parseaddr",
    ],
)


@skill("merge-contacts", "manage-contacts", takes=(), gives=None, sink=True, weight=1.5)
@dataclass(frozen=True)
class MergeContacts(Skill):
    """Two address lists become one without anybody twice; the newer list wins."""

    cards: str
    sheet: str
    path: str
    old: tuple[tuple[str, str, str], ...]
    new: tuple[tuple[str, str, str], ...]
    """Name, address, telephone."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        known = [(name, mail) for name in world.people if (mail := address(name))]
        if len(known) < 6:
            return None

        def phone() -> str:
            return f"+44 20 {chance.randint(2000, 9999)} {chance.randint(1000, 9999)}"

        people = [(name, mail, phone()) for name, mail in known]
        both = chance.randint(2, 3)
        cut = len(people) // 2
        old = people[: cut + both]
        new = [(n, m, phone() if chance.random() < 0.7 else p) for n, m, p in people[cut:]]
        if sum(a in new for a in old) == both:
            return None
        cards = world.path("contacts", ".vcf", "data", "")
        sheet = world.path("new contacts", ".csv", "data", "")
        return cls(cards, sheet, world.path("all contacts", ".vcf", "out"), tuple(old), tuple(new))

    def apply(self, inputs: Sequence[Value]) -> Step:
        cards = "".join(
            "BEGIN:VCARD\r\nVERSION:3.0\r\n"
            f"N:{name.split()[-1]};{name.split()[0]};;;\r\nFN:{name}\r\n"
            f"EMAIL:{mail}\r\nTEL:{phone}\r\nEND:VCARD\r\n"
            for name, mail, phone in self.old
        )
        rows = "name,email,phone\n" + "".join(f"{n},{m},{p}\n" for n, m, p in self.new)
        merged = {mail: (name, phone) for name, mail, phone in self.old}
        merged |= {mail: (name, phone) for name, mail, phone in self.new}
        contacts = [
            {"name": name, "emails": [mail], "phones": [phone]}
            for mail, (name, phone) in merged.items()
        ]
        check = {
            "vcf": {"path": self.path, "contacts": contacts},
            "weight": 2,
        }
        do = (
            f"merge `{self.cards}` and `{self.sheet}` into one address book, `{self.path}`: "
            "somebody with the same e-mail address is the same person, and then the telephone "
            f"number in `{self.sheet}` is the right one",
            f"make one address book `{self.path}` of `{self.cards}` and `{self.sheet}`, nobody "
            "twice (the e-mail address tells who is who); where the numbers differ, take the one "
            f"from `{self.sheet}`",
        )
        code = "\n".join(
            (
                "«out» = {}",
                f"for card in Path({self.cards!r}).read_text().split('BEGIN:VCARD')[1:]:",
                "    found = dict(line.split(':', 1) for line in card.splitlines() if ':' in line)",
                "    «out»[found['EMAIL']] = (found['FN'], found['TEL'])",
                f"with open({self.sheet!r}, newline='') as file:",
                "    for row in csv.DictReader(file):",
                "        «out»[row['email']] = (row['name'], row['phone'])",
                "lines = []",
                "for mail, (name, phone) in «out».items():",
                "    lines += ['BEGIN:VCARD', 'VERSION:4.0', f'FN:{name}', "
                "f'EMAIL:{mail}', f'TEL:{phone}', 'END:VCARD']",
                f"write_lines({self.path!r}, lines)",
            )
        )
        files = {self.cards: cards.encode(), self.sheet: rows.encode()}
        output = Output(
            path=self.path, format="vcf", note="Each card with name, e-mail, telephone."
        )
        deliver = Deliverable(self.path, do[0], (output,), (check,))
        return Step(None, Say(do=do), code, ("path", "csv", "write_lines"), files, deliver=deliver)
