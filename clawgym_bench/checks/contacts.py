"""vCard files (2.1, 3.0 and 4.0).

Read here line by line: vobject, the library for it, takes exponential time on a crafted line and
the parser of icalendar refuses the bare parameters of version 2.1 (`TEL;CELL:`).
"""

import datetime as dt
import quopri
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, Field, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, StrictModel, file_content
from clawgym_bench.checks.compare import as_date, equal, finds
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.pairing import Pairing, finding, item_findings

CONTACTS_BYTES = 4 * 2**20
CONTACTS = 5_000
LOCAL_DIGITS = 7

_PROPERTY = re.compile(r"((?>[^:\"]+|\"[^\"]*\")+):")
_ESCAPED = re.compile(r"\\(.)", re.S)


@dataclass(frozen=True)
class Contact:
    """One card. `phones` are as written."""

    name: str
    composed: str
    emails: frozenset[str]
    phones: tuple[str, ...]
    org: str
    title: str
    birthday: str
    text: str


def read_contacts(content: bytes) -> list[Contact]:
    """The cards of a file; raises `Refused`."""
    if len(content) > CONTACTS_BYTES:
        raise Refused(f"it has more than {CONTACTS_BYTES:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8 text") from None
    cards: list[list[tuple[str, frozenset[str], str]]] = []
    inside = False
    for line in _unfolded(text):
        if not line.strip():
            continue
        name, parameters, value = _parts(line)
        if name in ("BEGIN", "END") and value.strip().upper() == "VCARD":
            if inside is (name == "BEGIN"):
                raise Refused("BEGIN:VCARD and END:VCARD do not alternate")
            inside = not inside
            if inside:
                cards.append([])
            if len(cards) > CONTACTS:
                raise Refused(f"it has more than {CONTACTS} contacts")
        elif not inside:
            raise Refused(f"{line[:40]!r} is outside of a card")
        else:
            cards[-1].append((name, parameters, value))
    if inside:
        raise Refused("a card has no END:VCARD")
    if not cards:
        raise Refused("it has no BEGIN:VCARD")
    return [_contact(card) for card in cards]


def _unfolded(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines: list[str] = []
    soft: list[str] = []
    for line in re.sub(r"\n[ \t]", "", text).split("\n"):
        head = "".join(soft[:1]) or line
        if "QUOTED-PRINTABLE" in head[:200].upper() and line.endswith("="):
            soft.append(line[:-1])
            continue
        lines.append("".join([*soft, line]))
        soft = []
    return [*lines, *(["".join(soft)] if soft else [])]


def _parts(line: str) -> tuple[str, frozenset[str], str]:
    """Name without its group, parameters in upper case, value decoded but still escaped."""
    match = _PROPERTY.match(line)
    if match is None:
        raise Refused(f"{line[:40]!r} is no property of a card")
    head, value = match[1], line[match.end() :]
    name, *parameters = head.split(";")
    marks = frozenset(parameter.strip().upper() for parameter in parameters)
    if any(mark.endswith("QUOTED-PRINTABLE") for mark in marks):
        value = quopri.decodestring(value.encode()).decode("utf-8", "replace")
    return name.rsplit(".", 1)[-1].strip().upper(), marks, value


def _plain(value: str) -> str:
    return _ESCAPED.sub(lambda m: "\n" if m[1] in "nN" else m[1], value).strip()


def _split(value: str) -> list[str]:
    return [_plain(part) for part in re.split(r"(?<!\\);", value)]


def _contact(card: Sequence[tuple[str, frozenset[str], str]]) -> Contact:
    def first(name: str) -> str:
        return next((value for key, _, value in card if key == name), "")

    parts = [*_split(first("N")), "", "", "", "", ""][:5]
    composed = " ".join(part for part in (parts[3], parts[1], parts[2], parts[0], parts[4]) if part)
    return Contact(
        name=_plain(first("FN")),
        composed=composed,
        emails=frozenset(
            re.sub(r"^mailto:", "", _plain(value), flags=re.I).casefold()
            for key, _, value in card
            if key == "EMAIL"
        ),
        phones=tuple(_plain(value) for key, _, value in card if key == "TEL"),
        org=", ".join(part for part in _split(first("ORG")) if part),
        title=_plain(first("TITLE")),
        birthday=_plain(first("BDAY")),
        text="\n".join(" ".join(_split(value)) for key, _, value in card if key != "PHOTO")[
            :100_000
        ],
    )


def same_phone(found: str, expected: str) -> bool:
    """Whether the digits are the same; a country code or a trunk zero may be on one side only."""
    left, right = (_national(number) for number in (found, expected))
    if not left or not right:
        return False
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    return len(short) >= LOCAL_DIGITS and long.endswith(short) and len(long) - len(short) <= 3


def _national(number: str) -> str:
    number = re.sub(r"\(0\)", "", number[:100])
    number = re.split(r"(?i)\bext|;ext=|\bx\d", number)[0]
    return re.sub(r"[^0-9]", "", number).lstrip("0")


def _same_birthday(found: str, expected: str) -> bool:
    def compact(text: str) -> str:
        return re.sub(r"[-/]", "", text.split("T")[0])

    if expected.startswith("--"):
        return compact(found) == compact(expected)
    if re.fullmatch(r"\d{8}", found[:8]) and found[8:9] in ("", "T"):
        found = f"{found[:4]}-{found[4:6]}-{found[6:8]}"
    return equal(found, expected)


def _iso(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date) else value


class ExpectedContact(StrictModel):
    """A contact. `emails` and `phones` are all that the card has; a name or an organization
    may be given in several wordings; `contains` looks at all of the card."""

    name: str | Annotated[list[str], Field(min_length=1)]
    emails: list[str] | None = None
    phones: list[str] | None = None
    org: str | Annotated[list[str], Field(min_length=1)] | None = None
    title: str | None = None
    birthday: Annotated[str, BeforeValidator(_iso)] | None = None
    contains: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        day = self.birthday
        if day and as_date(day) is None and not re.fullmatch(r"--\d\d-?\d\d", day):
            raise ValueError(f"birthday {day!r}: write 1990-03-04, or --03-04")
        for phone in self.phones or []:
            if not _national(phone):
                raise ValueError(f"phone {phone!r} has no digits")
        return self

    def __str__(self) -> str:
        return self.name if isinstance(self.name, str) else self.name[0]

    def differences(self, contact: Contact) -> list[str] | None:
        names = [self.name] if isinstance(self.name, str) else self.name
        by_name = any(
            equal(written, name) for name in names for written in (contact.name, contact.composed)
        )
        emails = None if self.emails is None else {mail.strip().casefold() for mail in self.emails}
        if not by_name and not (emails and emails & contact.emails):
            return None
        wrong = [] if by_name else [f"name {self} wanted, found {contact.name[:40]}"]
        if emails is not None and emails != contact.emails:
            found = ", ".join(sorted(contact.emails)) or "none"
            wrong.append(f"email {', '.join(sorted(emails)) or 'none'} wanted, found {found[:80]}")
        if self.phones is not None and not _same_phones(contact.phones, self.phones):
            found = ", ".join(contact.phones) or "none"
            wrong.append(f"phone {', '.join(self.phones) or 'none'} wanted, found {found[:80]}")
        orgs = [self.org] if isinstance(self.org, str) else self.org
        known = {contact.org, contact.org.split(", ")[0]}
        if orgs is not None and not any(equal(org, name) for org in known for name in orgs):
            wrong.append(f"organization {orgs[0]} wanted, found {contact.org[:40] or 'none'}")
        if self.title is not None and not equal(contact.title, self.title):
            wrong.append(f"title {self.title} wanted, found {contact.title[:40] or 'none'}")
        if self.birthday is not None and not _same_birthday(contact.birthday, self.birthday):
            wrong.append(
                f"birthday {self.birthday} wanted, found {contact.birthday[:40] or 'none'}"
            )
        wrong += [
            f"{phrase!r} is not in it"
            for phrase in self.contains
            if not finds(phrase, contact.text)
        ]
        return wrong


def _same_phones(found: Sequence[str], expected: Sequence[str]) -> bool:
    left = list(found[:50])
    for phone in expected:
        match = next((other for other in left if same_phone(other, phone)), None)
        if match is None:
            return False
        left.remove(match)
    return not any(not any(same_phone(other, phone) for phone in expected) for other in left)


class VcfCheck(CheckBody):
    """Contacts of a .vcf file; with `exactly` no others."""

    kind: ClassVar[str] = "vcf"

    path: str
    contacts: list[ExpectedContact]
    exactly: bool = True

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if not self.contacts:
            raise ValueError("nothing is asserted: give at least one contact")
        return self

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        try:
            contacts = read_contacts(content)
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        pairing = Pairing[ExpectedContact, Contact](
            "contact",
            lambda expected, contact: expected.differences(contact),
            str,
            lambda contact: contact.name or contact.composed,
        )
        found, _ = item_findings(
            pairing, self.contacts, contacts, where=self.path, exactly=self.exactly
        )
        return [finding(True, f"{self.path} holds readable contacts", required=True), *found]
