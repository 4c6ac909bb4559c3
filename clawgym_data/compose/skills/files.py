"""Acts on folders: sort, rename, archive, compare, find. Each brings the files it acts on."""

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, Self

from clawgym_bench.task import Output
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Value
from clawgym_data.compose.world import World

KINDS = ("invoice", "offer", "minutes", "contract", "receipt", "letter", "report", "plan")
MATTERS = (
    "roof repair",
    "new website",
    "summer fair",
    "insurance",
    "annual meeting",
    "kitchen refit",
    "heating service",
    "training day",
    "parking permits",
    "data protection",
)
CLOSINGS = (
    "To be discussed at the next meeting.",
    "Nothing else to add for now.",
    "The original is in the binder.",
    "Please keep for three years.",
    "Sent by post as well.",
)

helper(
    "move",
    """
    def move(old, new):
        Path(new).parent.mkdir(parents=True, exist_ok=True)
        Path(old).rename(new)
    """,
    ["from pathlib import Path"],
)


@dataclass(frozen=True)
class Paper:
    """A short document: its kind, whom it concerns, its day, its text."""

    kind: str
    client: str
    day: date
    matter: str
    text: str


def papers(world: World, count: int) -> list[Paper]:
    """`count` documents of a few clients, on different days."""
    chance = world.random
    clients = chance.sample(sorted({name.split()[-1] for name in world.people if name}), 3)
    days = chance.sample(range(10, 400), count)
    drawn = []
    for back in days:
        day = world.today - timedelta(days=back)
        kind, client = chance.choice(KINDS), chance.choice(clients)
        matter = chance.choice(MATTERS)
        text = (
            f"{kind.capitalize()}\nClient: {client}\nDate: {day.isoformat()}\n"
            f"Subject: {matter}\n\nNo. {chance.randint(100, 999)}. {chance.choice(CLOSINGS)}\n"
        )
        drawn.append(Paper(kind, client, day, matter, text))
    return drawn


def slug(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text.lower()).strip("-")


def names(papers_: Sequence[Paper], style: str) -> list[str]:
    """One file name each, in a style: dated names, or scans with nothing but a number."""
    if style == "dated":
        return [f"{p.day:%Y-%m-%d} {p.kind} {slug(p.matter)}.txt" for p in papers_]
    if style == "german":
        return [f"{p.kind}_{p.day:%d.%m.%Y}_{slug(p.matter)}.txt" for p in papers_]
    return [f"scan{101 + 3 * number}.txt" for number, _ in enumerate(papers_)]


@skill("sort-into-folders", "organise-files", takes=(), gives=None, sink=True, weight=1.2)
@dataclass(frozen=True)
class SortIntoFolders(Skill):
    """Files of an inbox move into folders by what their name or their first lines say."""

    folder: str
    target: str
    rule: Literal["client", "kind", "month"]
    given: tuple[tuple[str, Paper], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        if len({name.split()[-1] for name in world.people if name}) < 3:
            return None
        rule: Literal["client", "kind", "month"] = world.random.choice(("client", "kind", "month"))
        drawn = papers(world, world.random.randint(7, 14))
        style = world.random.choice(("dated", "scan")) if rule == "month" else "scan"
        folder = world.path(world.random.choice(("inbox", "scans", "incoming")), "")
        target = world.path(world.random.choice(("filed", "archive", "papers")), "")
        return cls(folder, target, rule, tuple(zip(names(drawn, style), drawn, strict=True)))

    def detail(self) -> str:
        return self.rule

    def place(self, paper: Paper) -> str:
        if self.rule == "client":
            return paper.client
        return paper.kind if self.rule == "kind" else f"{paper.day:%Y-%m}"

    def apply(self, inputs: Sequence[Value]) -> Step:
        there = {f"{self.folder}/{name}": paper.text.encode() for name, paper in self.given}
        placed = {f"{self.place(paper)}/{name}": name for name, paper in self.given}
        check = {
            "files": {
                "exactly": {self.target: sorted(placed)},
                "copies": {f"{self.target}/{p}": f"{self.folder}/{n}" for p, n in placed.items()},
                "absent": [f"{self.folder}/*.txt"],
            },
            "weight": 2,
        }
        what = {
            "client": f"one folder per client, `{self.target}/<client>/`, where the client is the "
            "one in the `Client:` line, written as there",
            "kind": f"one folder per kind of paper, `{self.target}/<kind>/`, where the kind is the "
            "first line of the file in lower case",
            "month": f"one folder per month, `{self.target}/YYYY-MM/`, by the `Date:` line",
        }[self.rule]
        key = {
            "client": "line('Client:')",
            "kind": "text.splitlines()[0].lower()",
            "month": "line('Date:')[:7]",
        }[self.rule]
        code = "\n".join(
            (
                f"for «out» in sorted(Path({self.folder!r}).iterdir()):",
                "    text = «out».read_text()",
                "    line = lambda head: next(t for t in text.splitlines() if t.startswith(head))"
                "[len(head):].strip()",
                f"    move(«out», {self.target + '/'!r} + {key} + '/' + «out».name)",
            )
        )
        do = (
            f"sort the files in `{self.folder}/` into {what} (names stay, and `{self.folder}/` is "
            "empty afterwards)",
            f"move everything from `{self.folder}/` into {what}; keep the file names, nothing "
            f"stays behind in `{self.folder}/`",
        )
        gone = {"folder-gone": f"import os\n\nos.rmdir({self.folder!r})\n"}
        deliver = Deliverable(
            self.target, do[0], (), (check,), editable=(f"{self.folder}/*",), afterwards=gone
        )
        return Step(None, Say(do=do), code, ("move", "path"), there, deliver=deliver)


@skill("rename-files", "organise-files", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class RenameFiles(Skill):
    """Names with a day written the local way become names that sort."""

    folder: str
    pattern: Literal["day-kind", "kind-day"]
    given: tuple[tuple[str, Paper], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        if len({name.split()[-1] for name in world.people if name}) < 3:
            return None
        drawn = papers(world, world.random.randint(6, 12))
        folder = world.path(world.random.choice(("documents", "papers", "correspondence")), "")
        pattern: Literal["day-kind", "kind-day"] = world.random.choice(("day-kind", "kind-day"))
        return cls(folder, pattern, tuple(zip(names(drawn, "german"), drawn, strict=True)))

    def detail(self) -> str:
        return self.pattern

    def apply(self, inputs: Sequence[Value]) -> Step:
        there = {f"{self.folder}/{name}": paper.text.encode() for name, paper in self.given}
        first = self.pattern == "day-kind"

        def named(p: Paper) -> str:
            parts = (f"{p.day:%Y-%m-%d}", p.kind) if first else (p.kind, f"{p.day:%Y-%m-%d}")
            return "_".join((*parts, slug(p.matter))) + ".txt"

        renamed = {named(paper): name for name, paper in self.given}
        check = {
            "files": {
                "exactly": {self.folder: sorted(renamed)},
                "copies": {f"{self.folder}/{n}": f"{self.folder}/{o}" for n, o in renamed.items()},
            },
            "weight": 2,
        }
        scheme = "YYYY-MM-DD_<kind>_<matter>.txt" if first else "<kind>_YYYY-MM-DD_<matter>.txt"
        order = "f'{y}-{m}-{d}_{kind}_{rest}'" if first else "f'{kind}_{y}-{m}-{d}_{rest}'"
        code = "\n".join(
            (
                f"for «out» in sorted(Path({self.folder!r}).iterdir()):",
                "    kind, day, rest = «out».name.split('_', 2)",
                "    d, m, y = day.split('.')",
                f"    «out».rename(«out».with_name({order}))",
            )
        )
        do = (
            f"rename the files in `{self.folder}/`: now they are `<kind>_DD.MM.YYYY_<matter>.txt`, "
            f"and they should be `{scheme}`",
            f"give the files in `{self.folder}/` names like `{scheme}` (they are "
            "`<kind>_DD.MM.YYYY_<matter>.txt` at the moment); what is in them stays",
        )
        deliver = Deliverable(self.folder, do[0], (), (check,), editable=(f"{self.folder}/*",))
        return Step(None, Say(do=do), code, ("path",), there, deliver=deliver)


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """A zip file that is the same for the same members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), members[name])
    return buffer.getvalue()


@skill("archive-old-files", "archive-files", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class ArchiveOldFiles(Skill):
    """Files dated before a day go into a zip file and leave the folder."""

    folder: str
    archive: str
    before: date
    given: tuple[tuple[str, Paper], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        if len({name.split()[-1] for name in world.people if name}) < 3:
            return None
        drawn = papers(world, world.random.randint(7, 12))
        days = sorted(paper.day for paper in drawn)
        cut = world.random.randint(2, len(days) - 3)
        before = days[cut].replace(day=1)
        if not 2 <= sum(day < before for day in days) <= len(days) - 2 or before in days:
            return None
        folder = world.path(world.random.choice(("documents", "office", "letters")), "")
        archive = world.path(f"before-{before:%Y-%m}", ".zip", "archive", "backup")
        return cls(folder, archive, before, tuple(zip(names(drawn, "dated"), drawn, strict=True)))

    def apply(self, inputs: Sequence[Value]) -> Step:
        there = {f"{self.folder}/{name}": paper.text.encode() for name, paper in self.given}
        old = [name for name, paper in self.given if paper.day < self.before]
        kept = [name for name, paper in self.given if paper.day >= self.before]
        packed = {
            "archive": {
                "path": self.archive,
                "exactly": sorted(old),
                "copies": {name: f"{self.folder}/{name}" for name in old},
            },
            "weight": 2,
        }
        left = {
            "files": {
                "exactly": {self.folder: sorted(kept)},
                "copies": {f"{self.folder}/{name}": f"{self.folder}/{name}" for name in kept},
            },
            "weight": 1,
        }
        day = f"{self.before.day} {self.before:%B %Y}"
        code = "\n".join(
            (
                f"«out» = [p for p in sorted(Path({self.folder!r}).iterdir()) "
                f"if p.name[:10] < {self.before.isoformat()!r}]",
                f"with zipfile.ZipFile(folder({self.archive!r}), 'w') as archive:",
                "    for path in «out»:",
                "        archive.write(path, path.name)",
                "for path in «out»:",
                "    path.unlink()",
            )
        )
        do = (
            f"pack everything in `{self.folder}/` from before {day} (the date is in the file name) "
            f"into `{self.archive}`, without folders inside, and take it out of `{self.folder}/`",
            f"move the files of `{self.folder}/` that are dated before {day} by their name into "
            f"the zip file `{self.archive}` (just the files, no folders in it); the newer "
            "ones stay where they are",
        )
        output = Output(path=self.archive, format="zip")
        deliver = Deliverable(
            self.archive, do[0], (output,), (packed, left), editable=(f"{self.folder}/*",)
        )
        return Step(None, Say(do=do), code, ("path", "folder", "zipfile"), there, deliver=deliver)


helper("zipfile", "", ["import zipfile"])
helper("hashlib", "", ["import hashlib"])


@skill("checksums", "archive-files", takes=(), gives=None, sink=True, weight=0.7)
@dataclass(frozen=True)
class Checksums(Skill):
    """A list of SHA-256 sums of a release folder, as `sha256sum` writes it."""

    folder: str
    given: tuple[tuple[str, str], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        folder = world.path(chance.choice(("release", "delivery", "handover")), "")
        stems = chance.sample(
            ("readme", "prices", "terms", "contacts", "plan", "index", "notes"), 5
        )
        suffixes = (".txt", ".csv", ".md")
        parts = ("", "", "docs/", "data/")
        files = [
            (
                f"{chance.choice(parts)}{stem}{chance.choice(suffixes)}",
                f"{stem} of {world.organisation}, as of {world.day(1, 30).isoformat()}\n"
                f"{chance.randint(1000, 9999)}\n",
            )
            for stem in stems
        ]
        return cls(folder, tuple(sorted(files)))

    def apply(self, inputs: Sequence[Value]) -> Step:
        there = {f"{self.folder}/{name}": text.encode() for name, text in self.given}
        lines = [f"{hashlib.sha256(t.encode()).hexdigest()}  {name}" for name, t in self.given]
        path = f"{self.folder}/SHA256SUMS"
        expected = f"expected/{path}"
        check = {"text": {"path": path, "equals_file": expected}, "weight": 2}
        code = "\n".join(
            (
                f"«out» = sorted(p for p in Path({self.folder!r}).rglob('*') if p.is_file())",
                f"write_lines({path!r}, [hashlib.sha256(p.read_bytes()).hexdigest() + '  ' + "
                f"p.relative_to({self.folder!r}).as_posix() for p in «out»])",
            )
        )
        do = (
            f"write the SHA-256 checksums of all files in `{self.folder}/` (subfolders too) to "
            f"`{path}`, in the form of sha256sum, paths relative to `{self.folder}/`, "
            "sorted by path",
            f"put a checksum list into `{path}`: SHA-256, one line per file of `{self.folder}/` "
            "and its subfolders as sha256sum prints it, sorted by the path relative to that folder",
        )
        output = Output(path=path, format="text", note="Lines of the form `<sum>  <path>`.")
        deliver = Deliverable(
            path, do[0], (output,), (check,), hidden={expected: ("\n".join(lines) + "\n").encode()}
        )
        return Step(
            None, Say(do=do), code, ("path", "hashlib", "write_lines"), there, deliver=deliver
        )
