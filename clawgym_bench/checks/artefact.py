"""One body out of all kinds that look at what the agent left, said, or did."""

from typing import Any, ClassVar

from pydantic import model_validator

from clawgym_bench.checks.archive import ArchiveCheck
from clawgym_bench.checks.base import CheckBody, StrictModel
from clawgym_bench.checks.calendar import IcsCheck
from clawgym_bench.checks.contacts import VcfCheck
from clawgym_bench.checks.data import DataCheck
from clawgym_bench.checks.docx import DocxCheck
from clawgym_bench.checks.files import FilesCheck
from clawgym_bench.checks.mail import MailCheck
from clawgym_bench.checks.markdown import MarkdownCheck
from clawgym_bench.checks.markup import HtmlCheck, XmlCheck
from clawgym_bench.checks.message import MessageCheck
from clawgym_bench.checks.pdf import PdfCheck
from clawgym_bench.checks.sqlite import SqliteCheck
from clawgym_bench.checks.table import TableCheck
from clawgym_bench.checks.text import TextCheck
from clawgym_bench.checks.tool_use import ToolUseCheck

ARTEFACTS: dict[str, type[CheckBody]] = {
    body.kind: body
    for body in (
        ArchiveCheck,
        DataCheck,
        DocxCheck,
        FilesCheck,
        HtmlCheck,
        IcsCheck,
        MailCheck,
        MarkdownCheck,
        MessageCheck,
        PdfCheck,
        SqliteCheck,
        TableCheck,
        TextCheck,
        ToolUseCheck,
        VcfCheck,
        XmlCheck,
    )
}


class ArtefactCheck(StrictModel):
    """Exactly one of the kinds; the field's name is the kind."""

    kinds: ClassVar[dict[str, type[CheckBody]]] = ARTEFACTS

    archive: ArchiveCheck | None = None
    data: DataCheck | None = None
    docx: DocxCheck | None = None
    files: FilesCheck | None = None
    html: HtmlCheck | None = None
    ics: IcsCheck | None = None
    mail: MailCheck | None = None
    markdown: MarkdownCheck | None = None
    message: MessageCheck | None = None
    pdf: PdfCheck | None = None
    sqlite: SqliteCheck | None = None
    table: TableCheck | None = None
    text: TextCheck | None = None
    tool_use: ToolUseCheck | None = None
    vcf: VcfCheck | None = None
    xml: XmlCheck | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_kind(cls, value: Any) -> Any:
        if isinstance(value, dict):
            kinds = [kind for kind in cls.kinds if value.get(kind) is not None]
            if len(kinds) != 1:
                found = f"found {' and '.join(kinds)}" if kinds else "found none"
                raise ValueError(f"a check has exactly one of {', '.join(cls.kinds)}; {found}")
        return value

    @property
    def kind(self) -> str:
        return next(kind for kind in self.kinds if getattr(self, kind) is not None)

    @property
    def body(self) -> CheckBody:
        body = getattr(self, self.kind)
        assert isinstance(body, CheckBody)
        return body
