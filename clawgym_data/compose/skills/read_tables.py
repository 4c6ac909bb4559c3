"""Sources: a table of the world as a file that the agent finds, in many formats."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from xml.sax.saxutils import escape

import yaml

from clawgym_data.compose.irregular import (
    Irregularity,
    Texts,
    draw_irregularities,
    texts,
)
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.values import Table, Value
from clawgym_data.compose.world import World

helper(
    "typed_rows",
    """
    def typed_rows(rows, kinds):
        return [{name: typed(row[name], kind) for name, kind in kinds.items()} for row in rows]
    """,
    [],
    ["typed"],
)
helper(
    "as_text",
    """
    def as_text(value):
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value)
    """,
)
helper(
    "csv_rows",
    """
    def csv_rows(path, delimiter=",", encoding="utf-8", skip=0):
        lines = Path(path).read_text(encoding=encoding).splitlines()[skip:]
        return list(csv.DictReader(lines, delimiter=delimiter))
    """,
    ["import csv", "from pathlib import Path"],
)
helper(
    "rows_of_csv",
    """
    def rows_of_csv(path, kinds, delimiter=","):
        return typed_rows(csv_rows(path, delimiter), kinds)
    """,
    [],
    ["csv_rows", "typed_rows"],
)


def kinds_of(table: Table) -> dict[str, str]:
    return {column.name: column.kind for column in table.columns}


class TableSource(Skill):
    """A table in files. Subclasses write rows of texts and read them back.

    `layout` is drawn among `layouts` and says which form of the format it is.
    """

    takes: ClassVar[tuple[type, ...]] = (Table,)
    gives: ClassVar[type | None] = Table
    source: ClassVar[bool] = True
    suffix: ClassVar[str] = ""
    layouts: ClassVar[tuple[str, ...]] = ("plain",)
    textual: ClassVar[bool] = True
    """Whether cells are texts, so that numbers and dates may be written in a local way."""
    needs: ClassVar[tuple[str, ...]] = ()
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        if not cls.suits(table):
            return None
        path = world.path(table.noun.plural, cls.suffix, "data", "exports", "lists", "")
        layout = world.random.choice(cls.layouts)
        odd = draw_irregularities(table, world, textual=cls.textual)
        return cls(path, layout, tuple(odd))  # type: ignore[call-arg]

    @classmethod
    def suits(cls, table: Table) -> bool:
        return True

    def detail(self) -> str:
        return "/".join((self.layout, *(entry.name for entry in self.odd)))

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        raise NotImplementedError

    def read(self, table: Table) -> str:
        """Code that sets `rows` to dicts of texts."""
        raise NotImplementedError

    def note(self, table: Table) -> tuple[str, ...]:
        """What a reader has to know of the layout."""
        return ()

    @property
    def where(self) -> str:
        return f"`{self.path}`"

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        rows = texts(table)
        for entry in self.odd:
            rows = entry.spoil(rows)
        code = [self.read(table), *(entry.code for entry in reversed(self.odd))]
        code.append(f"«out» = typed_rows(rows, {kinds_of(table)!r})")
        plural, where = table.noun.plural, self.where
        say = Say(
            do=(f"take the {plural} from {where}", f"read {where}"),
            rule=(
                f"The {plural} are in {where}.",
                f"You find the {plural} in {where}.",
                f"{where[0]}{where[1:]} has the {plural}.",
                f"All {plural} are listed in {where}.",
            ),
            of=(f"{table.said} in {where}",),
        )
        rules = (*self.note(table), *(entry.rule.format(where=where) for entry in self.odd))
        needs = ("typed_rows", *self.needs)
        return Step(table, say, "\n".join(code), needs, self.write(table, rows), rules)


@skill("read-csv", "read-structured", weight=2.0)
@dataclass(frozen=True)
class ReadCsv(TableSource):
    suffix, needs = ".csv", ("csv_rows",)
    layouts = ("comma", "semicolon", "tab", "titled", "latin-1")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @property
    def delimiter(self) -> str:
        return {"semicolon": ";", "tab": "\t", "titled": ";"}.get(self.layout, ",")

    @property
    def encoding(self) -> str:
        return "latin-1" if self.layout == "latin-1" else "utf-8"

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        text = io.StringIO()
        if self.layout == "titled":
            text.write(f"List of {table.noun.plural};;\nprinted for internal use;;\n")
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator="\n")
        names = [column.name for column in table.columns]
        writer.writerow(names)
        writer.writerows([row[name] for name in names] for row in rows)
        return {self.path: text.getvalue().encode(self.encoding, "replace")}

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chosen = super().choose(inputs, world)
        (table,) = inputs
        assert isinstance(table, Table)
        if chosen is not None and chosen.layout == "latin-1":
            try:
                "".join(v for row in texts(table) for v in row.values()).encode("latin-1")
            except UnicodeEncodeError:
                return None
        return chosen

    def read(self, table: Table) -> str:
        skip = ", skip=2" if self.layout == "titled" else ""
        return f"rows = csv_rows({self.path!r}, {self.delimiter!r}, {self.encoding!r}{skip})"

    def note(self, table: Table) -> tuple[str, ...]:
        if self.layout == "titled":
            return (
                f"Above the column headings of {self.where} are two lines that do not belong to "
                "the list.",
            )
        return (f"{self.where} is in Latin-1, not UTF-8.",) if self.layout == "latin-1" else ()


def native(row: Mapping[str, str], table: Table) -> dict[str, Any]:
    """A row of texts as JSON or YAML would hold it."""
    found: dict[str, Any] = {}
    for column in table.columns:
        text = row[column.name]
        value: Any = text
        if text == "":
            value = None
        elif column.kind == "amount":
            value = float(text)
        elif column.kind == "count":
            value = int(text)
        elif column.kind == "flag":
            value = text == "yes"
        found[column.name] = value
    return found


@skill("read-json", "read-structured", weight=1.2)
@dataclass(frozen=True)
class ReadJson(TableSource):
    suffix, layouts, textual = ".json", ("list", "wrapped", "by-group"), False
    needs = ("json", "as_text", "path", "decimal")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chosen = super().choose(inputs, world)
        (table,) = inputs
        assert isinstance(table, Table)
        if chosen is not None and chosen.layout == "by-group":
            if chosen.group(table) is None or any(e.name == "case" for e in chosen.odd):
                return None
            if any(entry.name in ("corrections", "repeats", "struck") for entry in chosen.odd):
                return None
        return chosen

    def group(self, table: Table) -> str | None:
        for column in table.of_kind("category"):
            values = table.values(column.name)
            if 2 <= len(set(values)) <= 6 and None not in values:
                return column.name
        return None

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        data: Any = [native(row, table) for row in rows]
        if self.layout == "wrapped":
            data = {"exported": "from the register", "count": len(data), "records": data}
        elif self.layout == "by-group":
            name = self.group(table)
            assert name
            groups: dict[str, list[dict[str, Any]]] = {}
            for row in data:
                groups.setdefault(row[name], []).append(
                    {key: value for key, value in row.items() if key != name}
                )
            data = groups
        return {self.path: (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()}

    def read(self, table: Table) -> str:
        lines = [f"data = json.loads(Path({self.path!r}).read_text(), parse_float=Decimal)"]
        if self.layout == "wrapped":
            lines.append("data = data['records']")
        elif self.layout == "by-group":
            lines.append(
                f"data = [{{{self.group(table)!r}: key, **row}} for key, found in data.items() "
                "for row in found]"
            )
        lines.append("rows = [{k: as_text(v) for k, v in row.items()} for row in data]")
        return "\n".join(lines)

    def note(self, table: Table) -> tuple[str, ...]:
        if self.layout == "by-group":
            label = table.column(self.group(table) or "").label
            return (f"In {self.where} the {table.noun.plural} stand under their {label}.",)
        return ()


@skill("read-jsonl", "read-structured", weight=0.6)
@dataclass(frozen=True)
class ReadJsonl(TableSource):
    suffix, textual, needs = ".jsonl", False, ("json", "as_text", "path", "decimal")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        lines = [json.dumps(native(row, table), ensure_ascii=False) for row in rows]
        return {self.path: ("\n".join(lines) + "\n").encode()}

    def read(self, table: Table) -> str:
        return "\n".join(
            (
                f"data = [json.loads(line, parse_float=Decimal) "
                f"for line in Path({self.path!r}).read_text().splitlines()]",
                "rows = [{k: as_text(v) for k, v in row.items()} for row in data]",
            )
        )


@skill("read-yaml", "read-structured", weight=0.6)
@dataclass(frozen=True)
class ReadYaml(TableSource):
    suffix, needs = ".yaml", ("yaml", "path")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def suits(cls, table: Table) -> bool:
        return len(table) <= 30

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        quoted = yaml.safe_dump(
            [dict(row) for row in rows], sort_keys=False, allow_unicode=True, default_style="'"
        )
        return {self.path: quoted.encode()}

    def read(self, table: Table) -> str:
        return f"rows = yaml.safe_load(Path({self.path!r}).read_text())"


@skill("read-xml", "read-structured", weight=0.6)
@dataclass(frozen=True)
class ReadXml(TableSource):
    suffix, layouts, needs = ".xml", ("elements", "attributes"), ("etree",)
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        tag = "".join(c if c.isalnum() else "_" for c in table.noun.singular)
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<list>"]
        for row in rows:
            if self.layout == "attributes":
                cells = " ".join(f'{k}="{escape(v, {chr(34): "&quot;"})}"' for k, v in row.items())
                lines.append(f"  <{tag} {cells}/>")
            else:
                cells = "".join(f"<{k}>{escape(v)}</{k}>" for k, v in row.items())
                lines.append(f"  <{tag}>{cells}</{tag}>")
        return {self.path: "\n".join([*lines, "</list>", ""]).encode()}

    def read(self, table: Table) -> str:
        root = f"ElementTree.parse({self.path!r}).getroot()"
        if self.layout == "attributes":
            return f"rows = [dict(item.attrib) for item in {root}]"
        return f"rows = [{{cell.tag: cell.text or '' for cell in item}} for item in {root}]"


helper("etree", "", ["from xml.etree import ElementTree"])
helper(
    "bar_rows",
    """
    def bar_rows(path):
        lines = [t for t in Path(path).read_text().splitlines() if t.startswith("|")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        return [dict(zip(cells[0], row)) for row in cells[2:]]
    """,
    ["from pathlib import Path"],
)


def barred(table: Table) -> bool:
    """Whether cells can stand in a table with bars."""
    return len(table) <= 40 and not any("|" in v for row in texts(table) for v in row.values())


@skill("read-markdown", "read-text", weight=0.8)
@dataclass(frozen=True)
class ReadMarkdown(TableSource):
    suffix, needs = ".md", ("bar_rows",)
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def suits(cls, table: Table) -> bool:
        return barred(table)

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        names = [column.name for column in table.columns]
        lines = [f"# {table.noun.plural.capitalize()}", "", "Kept by hand; please do not reorder."]
        lines += ["", f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
        lines += [f"| {' | '.join(row[name] for name in names)} |" for row in rows]
        return {self.path: "\n".join([*lines, ""]).encode()}

    def read(self, table: Table) -> str:
        return f"rows = bar_rows({self.path!r})"


@skill("read-html", "read-text", weight=0.6)
@dataclass(frozen=True)
class ReadHtml(TableSource):
    suffix, needs = ".html", ("html_rows",)
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        names = [column.name for column in table.columns]
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{escape(row[name])}</td>" for name in names) + "</tr>"
            for row in rows
        )
        title = table.noun.plural.capitalize()
        page = (
            f"<!doctype html>\n<html><head><title>{title}</title></head><body>\n<h1>{title}</h1>\n"
            f"<table>\n<tr>{head}</tr>\n{body}\n</table>\n<p>Internal page.</p>\n</body></html>\n"
        )
        return {self.path: page.encode()}

    def read(self, table: Table) -> str:
        return f"rows = html_rows({self.path!r})"


helper(
    "html_rows",
    """
    def html_rows(path):
        text = Path(path).read_text()
        lines = re.findall(r"<tr>(.*?)</tr>", text, re.S)
        cells = [[unescape(c) for c in re.findall(r"<t[dh]>(.*?)</t[dh]>", t)] for t in lines]
        return [dict(zip(cells[0], row)) for row in cells[1:]]
    """,
    ["import re", "from html import unescape", "from pathlib import Path"],
)


@skill("read-log", "analyse-logs", weight=1.2)
@dataclass(frozen=True)
class ReadLog(TableSource):
    """One line per record among lines of other sorts, as programs write them."""

    suffix, needs = ".log", ("re", "path")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def suits(cls, table: Table) -> bool:
        timed = bool(table.of_kind("time", "date"))
        cells = [value for row in texts(table) for value in row.values()]
        return timed and not any('"' in value or "\n" in value for value in cells)

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chosen = super().choose(inputs, world)
        if chosen is None:
            return None
        return cls(chosen.path, "fields", ())

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        stamp = table.of_kind("time", "date")[0].name
        lines = []
        for number, row in enumerate(sorted(rows, key=lambda row: row[stamp])):
            if number % 4 == 1:
                lines.append(f"{row[stamp]} INFO heartbeat ok")
            if number % 9 == 5:
                lines.append(f"{row[stamp]} WARN slow disk, retrying")
            cells = " ".join(f'{name}="{value}"' for name, value in row.items())
            lines.append(f"{row[stamp]} RECORD {cells}")
        return {self.path: "\n".join([*lines, ""]).encode()}

    def read(self, table: Table) -> str:
        return "\n".join(
            (
                f"lines = [t for t in Path({self.path!r}).read_text().splitlines() "
                "if ' RECORD ' in t]",
                "rows = [dict(re.findall(r'(\\w+)=\"(.*?)\"', line)) for line in lines]",
            )
        )

    def note(self, table: Table) -> tuple[str, ...]:
        return (f"In {self.where} each line with RECORD is one {table.noun.singular}.",)


@skill("read-folder", "find-files", weight=1.2)
@dataclass(frozen=True)
class ReadFolder(TableSource):
    """One small file per record, or one list per value of a category."""

    suffix, layouts = "", ("cards", "lists")
    needs = ("path", "csv_rows")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        layout = world.random.choice(cls.layouts)
        cells = [value for row in texts(table) for value in row.values()]
        if layout == "cards":
            keys = [str(v) for v in table.values(table.key)] if table.key else []
            if not keys or len(keys) > 40 or any("\n" in value for value in cells):
                return None
            if not all(k.replace("-", "").replace("_", "").isalnum() and k.isascii() for k in keys):
                return None
        elif cls.group(table) is None:
            return None
        return cls(world.path(table.noun.plural, "", "data", "records", ""), layout, ())

    @classmethod
    def group(cls, table: Table) -> str | None:
        for column in table.of_kind("category"):
            values = {str(value) for value in table.values(column.name)}
            fit = all(v.replace(" ", "").replace("-", "").isalnum() and v.isascii() for v in values)
            if 3 <= len(values) <= 8 and fit and len({v.lower() for v in values}) == len(values):
                return column.name
        return None

    @property
    def where(self) -> str:
        return f"`{self.path}/`"

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        if self.layout == "cards":
            assert table.key
            return {
                f"{self.path}/{row[table.key]}.txt": "".join(
                    f"{name}: {value}\n" for name, value in row.items()
                ).encode()
                for row in rows
            }
        name = self.group(table)
        assert name
        groups: dict[str, list[dict[str, str]]] = {}
        for row in rows:
            groups.setdefault(row[name], []).append(row)
        files = {}
        for value, found in groups.items():
            text = io.StringIO()
            writer = csv.DictWriter(text, [c.name for c in table.columns], lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
            stem = value.replace(" ", "_")
            files[f"{self.path}/{stem}.csv"] = text.getvalue().encode()
        return files

    def read(self, table: Table) -> str:
        if self.layout == "cards":
            return "\n".join(
                (
                    "rows = []",
                    f"for file in sorted(Path({self.path!r}).glob('*.txt')):",
                    "    pairs = (t.partition(':') for t in file.read_text().splitlines())",
                    "    rows.append({name: value.strip() for name, _, value in pairs})",
                )
            )
        return "\n".join(
            (
                f"files = sorted(Path({self.path!r}).glob('*.csv'))",
                "rows = [row for file in files for row in csv_rows(file)]",
            )
        )

    def note(self, table: Table) -> tuple[str, ...]:
        one = table.noun.singular
        if self.layout == "cards":
            return (f"Each file in {self.where} is one {one}.",)
        label = table.column(self.group(table) or "").label
        return (f"In {self.where} there is one list for each {label}.",)
