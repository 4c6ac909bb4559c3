"""Mail: .eml files, one message each, and .mbox files."""

import email
import email.policy
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage, MIMEPart
from email.utils import getaddresses
from fnmatch import fnmatchcase
from typing import Annotated, ClassVar, Self

from lxml import etree
from pydantic import ConfigDict, Field, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, StrictModel, file_content
from clawgym_bench.checks.compare import equal
from clawgym_bench.checks.limits import NESTING, STRUCTURED_BYTES, TEXT_BYTES, Refused
from clawgym_bench.checks.markup import visible_text
from clawgym_bench.checks.pairing import Pairing, finding, item_findings
from clawgym_bench.checks.text import TextAssertions
from clawgym_bench.errors import TaskFault

MESSAGES = 2_000
PARTS = 200
HEADER_LENGTH = 16_000
HEADERS = 500
BOUNDARIES = 5_000
HTML_LENGTH = 2**20

_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\n]*\n")


@dataclass(frozen=True)
class Message:
    """One message: addresses in lower case, the text of its body, attachments by name."""

    sender: frozenset[str]
    to: frozenset[str]
    cc: frozenset[str]
    bcc: frozenset[str]
    subject: str
    in_reply_to: str
    body: str
    attachments: tuple[tuple[str, bytes], ...]


def read_messages(content: bytes, *, mbox: bool) -> list[Message]:
    """The messages of a file; raises `Refused`."""
    if len(content) > STRUCTURED_BYTES:
        raise Refused(f"it has more than {STRUCTURED_BYTES:,} bytes")
    if not mbox:
        return [_message(content)]
    starts = [
        match for match, _ in zip(_SEPARATOR.finditer(content), range(MESSAGES + 1), strict=False)
    ]
    if len(starts) > MESSAGES:
        raise Refused(f"it has more than {MESSAGES} messages")
    if not starts or content[: starts[0].start()].strip():
        raise Refused("it does not begin with a line `From ...`, as an mbox does")
    ends = [*(match.start() for match in starts[1:]), len(content)]
    return [
        _message(re.sub(rb"(?m)^>(>*From )", rb"\1", content[match.end() : end]))
        for match, end in zip(starts, ends, strict=True)
    ]


def _message(content: bytes) -> Message:
    if content.count(b"\n--") > BOUNDARIES:
        raise Refused("a message has too many parts")
    try:
        message = email.message_from_bytes(content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return _read(message)
    except Refused:
        raise
    except RecursionError:
        raise Refused(f"a message nests more than {NESTING} deep") from None
    except Exception as error:  # the header parser of the standard library raises many kinds
        raise Refused(f"a message is not readable ({type(error).__name__})") from None


def _read(message: EmailMessage) -> Message:
    parts = []
    for part in message.walk():
        parts.append(part)
        if len(parts) > PARTS:
            raise Refused(f"a message has more than {PARTS} parts")
        headers = list(part.raw_items())
        if len(headers) > HEADERS or any(len(str(value)) > HEADER_LENGTH for _, value in headers):
            raise Refused("a message has too many or too long headers")
    if not any(name.lower() in ("to", "from", "subject", "cc", "bcc") for name in message):
        raise Refused("a message has no header such as To, From or Subject")
    body = message.get_body(("plain", "html"))
    text = ""
    if body is not None:
        text = _text(body)
        if body.get_content_subtype() == "html":
            text = html_text(text)
    text = text.encode("utf-8", "replace").decode()
    return Message(
        sender=_addresses(message, "From"),
        to=_addresses(message, "To"),
        cc=_addresses(message, "Cc"),
        bcc=_addresses(message, "Bcc"),
        subject=str(message.get("Subject", "")).strip(),
        in_reply_to=str(message.get("In-Reply-To", "")).strip(),
        body=text,
        attachments=tuple(_attachments(message)),
    )


def _text(part: MIMEPart) -> str:
    try:
        content = part.get_content()
    except (LookupError, ValueError):
        payload = part.get_payload(decode=True)
        content = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    text = content if isinstance(content, str) else ""
    if len(text) > TEXT_BYTES:
        raise Refused("a message has too long a text")
    return text


def html_text(markup: str) -> str:
    """What a reader sees of an HTML body."""
    if len(markup) > HTML_LENGTH:
        raise Refused("a message has too long an HTML body")
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(markup.encode(), parser)
    except (etree.LxmlError, ValueError):
        root = None
    return "" if root is None else visible_text(root)


def _attachments(message: EmailMessage) -> Iterable[tuple[str, bytes]]:
    for part in message.walk():
        name = part.get_filename()
        if part.is_multipart() or (name is None and not part.is_attachment()):
            continue
        payload = part.get_payload(decode=True)
        yield (name or "", payload if isinstance(payload, bytes) else b"")


def _addresses(message: EmailMessage, name: str) -> frozenset[str]:
    values = [str(value) for value in message.get_all(name, [])]
    return frozenset(address.strip().casefold() for _, address in getaddresses(values) if address)


Addresses = Annotated[list[str], Field(min_length=0)]


class ExpectedMessage(StrictModel):
    """A message. Addresses are compared as sets, `[]` asks for none; `subject` may be given in
    several wordings; `attachments` are all file names, `copies` maps one to the input it must
    equal; `body` is what its text says."""

    model_config = ConfigDict(populate_by_name=True)

    to: str | Addresses | None = None
    cc: str | Addresses | None = None
    bcc: str | Addresses | None = None
    from_: str | None = Field(default=None, alias="from")
    subject: str | Annotated[list[str], Field(min_length=1)] | None = None
    in_reply_to: str | None = None
    attachments: list[str] | None = None
    copies: dict[str, str] = Field(default_factory=dict)
    body: TextAssertions | None = None

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if self.to is None and self.subject is None:
            raise ValueError("a message is recognized by `to` or `subject`: give one")
        if self.attachments is not None and not set(self.copies) <= set(self.attachments):
            raise ValueError("copies names a file that is not among the attachments")
        for name in ("to", "cc", "bcc", "from_"):
            for address in _listed(getattr(self, name)):
                if "@" not in address:
                    raise ValueError(f"{name.rstrip('_')}: {address!r} is not an address")
        return self

    def __str__(self) -> str:
        subject = self.subject if isinstance(self.subject, str) else (self.subject or [""])[0]
        to = ", ".join(_listed(self.to))
        return " ".join(
            part for part in (f"to {to}" if to else "", f"{subject!r}" if subject else "") if part
        )

    def differences(self, message: Message, inputs: "dict[str, bytes]") -> list[str] | None:
        subjects = [self.subject] if isinstance(self.subject, str) else self.subject
        by_subject = subjects is not None and any(equal(message.subject, one) for one in subjects)
        by_address = self.to is not None and bool(_set(self.to) & message.to)
        if not (by_subject or by_address):
            return None
        wrong = []
        if subjects is not None and not by_subject:
            wrong.append(f"subject {subjects[0]!r} wanted, found {message.subject[:60]!r}")
        for label, wanted, found in (
            ("to", self.to, message.to),
            ("cc", self.cc, message.cc),
            ("bcc", self.bcc, message.bcc),
            ("from", self.from_, message.sender),
        ):
            if wanted is not None and _set(wanted) != found:
                shown = ", ".join(sorted(found)) or "none"
                wrong.append(
                    f"{label} {', '.join(_listed(wanted)) or 'none'} wanted, found {shown[:80]}"
                )
        if self.in_reply_to is not None and _id(message.in_reply_to) != _id(self.in_reply_to):
            wrong.append(
                f"in reply to {self.in_reply_to} wanted, found {message.in_reply_to[:60] or 'none'}"
            )
        return wrong + self._attached(message, inputs)

    def _attached(self, message: Message, inputs: "dict[str, bytes]") -> list[str]:
        wrong = []
        names = sorted(name.casefold() for name, _ in message.attachments)
        if self.attachments is not None and names != sorted(map(str.casefold, self.attachments)):
            wanted = ", ".join(self.attachments) or "no attachment"
            wrong.append(f"{wanted} attached wanted, found {', '.join(names)[:80] or 'none'}")
        for name, source in self.copies.items():
            if source not in inputs:
                raise TaskFault(f"{source} is not an input that could be attached")
            held = [
                data for given, data in message.attachments if given.casefold() == name.casefold()
            ]
            if not any(_same_file(data, inputs.get(source)) for data in held):
                wrong.append(f"attachment {name} is not a copy of {source}")
        return wrong


def _same_file(data: bytes, source: bytes | None) -> bool:
    """Mail may rewrite the line ends of a text."""
    return source is not None and (
        data == source
        or data.replace(b"\r\n", b"\n").rstrip() == source.replace(b"\r\n", b"\n").rstrip()
    )


def _listed(addresses: str | Sequence[str] | None) -> list[str]:
    return [addresses] if isinstance(addresses, str) else list(addresses or [])


def _set(addresses: str | Sequence[str]) -> frozenset[str]:
    return frozenset(
        address.strip().casefold() for _, address in getaddresses(_listed(addresses)) if address
    )


def _id(text: str) -> str:
    return text.strip().strip("<>")


class MailCheck(CheckBody):
    """Messages in an .eml file, an .mbox file, or all files that a pattern (`*`, `?`) matches;
    with `exactly` no others."""

    kind: ClassVar[str] = "mail"

    path: str
    messages: list[ExpectedMessage]
    exactly: bool = True

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if not self.messages and not self.exactly:
            raise ValueError("nothing is asserted: give messages")
        if not self.path.lower().endswith((".eml", ".mbox")):
            raise ValueError(f"path {self.path!r} must end in .eml or .mbox (it may be a pattern)")
        return self

    @property
    def _is_pattern(self) -> bool:
        return any(sign in self.path for sign in "*?[")

    def affirms(self) -> bool:
        return bool(self.messages)

    def hidden_files(self) -> frozenset[str]:
        bodies = [message.body for message in self.messages if message.body is not None]
        return frozenset().union(*(body.hidden_files() for body in bodies))

    def literals(self) -> Sequence[str]:
        words: list[str] = []
        for message in self.messages:
            words += _listed(message.subject)[:1] + (message.attachments or [])
            words += message.body.literals() if message.body is not None else ()
        return list(dict.fromkeys(words))

    def run(self, evidence: Evidence) -> list[Finding]:
        try:
            messages = self._read(evidence)
        except Refused as refused:
            return [finding(False, str(refused), required=True)]
        if isinstance(messages, Finding):
            return [messages]
        inputs = dict(evidence.inputs)
        pairing = Pairing[ExpectedMessage, Message](
            "message",
            lambda expected, message: expected.differences(message, inputs),
            str,
            lambda message: f"{message.subject[:60]!r}",
        )
        findings, pairs = item_findings(
            pairing, self.messages, messages, where=self.path, exactly=self.exactly
        )
        for number, expected in enumerate(self.messages):
            if expected.body is not None and number in pairs:
                where = f"{self.path}: message {expected}"
                findings += expected.body.findings(messages[pairs[number]].body, where, evidence)
            elif expected.body is not None:
                findings.append(finding(False, f"{self.path}: no text of a message {expected}"))
        return [finding(True, f"{self.path}: readable mail", required=True), *findings]

    def _read(self, evidence: Evidence) -> list[Message] | Finding:
        paths = [self.path]
        if self._is_pattern:
            paths = sorted(path for path in evidence.snapshot.files if fnmatchcase(path, self.path))
            if not paths and self.messages:
                return finding(False, f"no file matches {self.path}", required=True)
            if len(paths) > MESSAGES:
                return finding(
                    False, f"more than {MESSAGES} files match {self.path}", required=True
                )
        messages: list[Message] = []
        total = 0
        for path in paths:
            content = file_content(evidence, path)
            if isinstance(content, Finding):
                return content
            total += len(content)
            if total > STRUCTURED_BYTES:
                raise Refused(f"{self.path}: more than {STRUCTURED_BYTES:,} bytes of mail")
            try:
                messages += read_messages(content, mbox=path.lower().endswith(".mbox"))
            except Refused as refused:
                raise Refused(f"{path}: {refused}") from None
        return messages
