"""Findings about folders: what changed, what is there twice, where something is mentioned."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from clawgym_bench.task import Output
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.skills.files import CLOSINGS, KINDS, MATTERS, papers, slug
from clawgym_data.compose.values import Value
from clawgym_data.compose.world import World


def listing(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def list_deliverable(
    path: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    key: Sequence[str],
    note: str,
    asked: str,
) -> Deliverable:
    """A CSV file of findings, made anew: each right row earns its part."""
    expected = f"expected/{path}"
    body = {"path": path, "equals": expected, "key": list(key) if len(key) > 1 else key[0]}
    output = Output(path=path, format="csv", columns=list(columns), note=note)
    check = {"table": body, "weight": 2, "partial": True}
    return Deliverable(path, asked, (output,), (check,), hidden={expected: listing(columns, rows)})


@skill("compare-folders", "compare-files", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class CompareFolders(Skill):
    """Two states of a folder: which files were added, removed, changed."""

    before: str
    after: str
    path: str
    old: tuple[tuple[str, str], ...]
    new: tuple[tuple[str, str], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        stems = [f"{kind}-{slug(matter)}" for kind in KINDS for matter in MATTERS]
        chosen = chance.sample(stems, 13)
        names = [f"{chance.choice(('', 'a/', 'b/'))}{stem}.txt" for stem in chosen]
        texts = {
            name: f"{name}\n{chance.choice(CLOSINGS)}\n{chance.random():.6f}\n" for name in names
        }
        added = chance.randint(2, 3)
        removed = chance.randint(2, 3)
        changed = chance.randint(2, 4)
        old = {name: texts[name] for name in names[added:]}
        new = {name: texts[name] for name in names[: len(names) - removed]}
        for name in names[added : added + changed]:
            new[name] = texts[name].replace("\n0.", "\n1.", 1)
        root = world.path(chance.choice(("share", "site", "project")), "")
        path = world.path("changes", ".csv", "out", "report", "results")
        return cls(
            f"{root}/monday", f"{root}/friday", path, tuple(sorted(old.items())),
            tuple(sorted(new.items())),
        )  # fmt: skip

    def apply(self, inputs: Sequence[Value]) -> Step:
        old, new = dict(self.old), dict(self.new)
        files = {f"{self.before}/{name}": text.encode() for name, text in old.items()}
        files |= {f"{self.after}/{name}": text.encode() for name, text in new.items()}
        rows = [
            (name, "added" if name not in old else "removed" if name not in new else "changed")
            for name in sorted({*old, *new})
            if old.get(name) != new.get(name)
        ]
        code = "\n".join(
            (
                "«out» = {}",
                f"for side in ({self.before!r}, {self.after!r}):",
                "    «out»[side] = {p.relative_to(side).as_posix(): p.read_bytes() "
                "for p in Path(side).rglob('*') if p.is_file()}",
                f"old, new = «out»[{self.before!r}], «out»[{self.after!r}]",
                "rows = [{'path': name, 'change': 'added' if name not in old else "
                "'removed' if name not in new else 'changed'} for name in sorted({*old, *new}) "
                "if old.get(name) != new.get(name)]",
                f"write_csv({self.path!r}, rows, {{'path': 0, 'change': 0}})",
            )
        )
        do = (
            f"compare `{self.before}/` with `{self.after}/` and list in `{self.path}` which files "
            "were added, removed or changed",
            f"find out what happened between `{self.before}/` and `{self.after}/`: every file that "
            f"was added, removed or changed goes into `{self.path}`",
        )
        note = (
            "`path` is relative to the two folders; `change` is `added`, `removed` or `changed`. "
            "Files that are the same in both are not listed."
        )
        deliver = list_deliverable(self.path, ("path", "change"), rows, ("path",), note, do[0])
        return Step(None, Say(do=do), code, ("path", "write_csv"), files, deliver=deliver)


@skill("find-duplicates", "compare-files", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class FindDuplicates(Skill):
    """Files with the same content under other names; one of each group is the original."""

    folder: str
    path: str
    given: tuple[tuple[str, str], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        if len({name.split()[-1] for name in world.people if name}) < 3:
            return None
        chance = world.random
        drawn = papers(world, 8)
        folder = world.path(chance.choice(("shared", "pictures", "downloads")), "")
        given = {f"{p.kind}-{slug(p.matter)}-{n}.txt": p.text for n, p in enumerate(drawn)}
        for name in chance.sample(sorted(given), 4):
            stem = name.removesuffix(".txt")
            for copy in chance.sample((f"old/{name}", f"{stem} (1).txt", f"tmp/copy of {name}"), 2):
                given[copy] = given[name]
        return cls(folder, world.path("duplicates", ".csv", "out", "report"), tuple(given.items()))

    def apply(self, inputs: Sequence[Value]) -> Step:
        files = {f"{self.folder}/{name}": text.encode() for name, text in self.given}
        groups: dict[str, list[str]] = {}
        for name, text in self.given:
            groups.setdefault(text, []).append(name)
        rows = []
        for found in groups.values():
            original = min(found, key=lambda name: (len(name), name))
            rows += [(name, original) for name in sorted(found) if name != original]
        code = "\n".join(
            (
                "«out» = {}",
                f"for path in Path({self.folder!r}).rglob('*'):",
                "    if path.is_file():",
                f"        name = path.relative_to({self.folder!r}).as_posix()",
                "        «out».setdefault(path.read_bytes(), []).append(name)",
                "rows = []",
                "for found in «out».values():",
                "    original = min(found, key=lambda name: (len(name), name))",
                "    rows += [{'duplicate': n, 'original': original} for n in sorted(found) "
                "if n != original]",
                "rows.sort(key=lambda row: row['duplicate'])",
                f"write_csv({self.path!r}, rows, {{'duplicate': 0, 'original': 0}})",
            )
        )
        rule = (
            "Of files with the same content the one with the shortest path is the original, and if "
            "two are equally short, the first in the alphabet."
        )
        do = (
            f"look for files in `{self.folder}/` (subfolders too) that have exactly the same "
            f"content under another name, and list them in `{self.path}`",
            f"tell me in `{self.path}` which files below `{self.folder}/` are byte-for-byte copies "
            "of another one there",
        )
        note = f"One line per copy, paths relative to `{self.folder}/`. {rule}"
        columns = ("duplicate", "original")
        deliver = list_deliverable(self.path, columns, rows, ("duplicate",), note, do[0])
        return Step(None, Say(do=do), code, ("path", "write_csv"), files, deliver=deliver)


@skill("find-mentions", "find-files", takes=(), gives=None, sink=True)
@dataclass(frozen=True)
class FindMentions(Skill):
    """In which files, on which line, a name stands."""

    folder: str
    term: str
    path: str
    given: tuple[tuple[str, str], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        clients = sorted({name.split()[-1] for name in world.people if name.split()[-1].isalpha()})
        if len(clients) < 4:
            return None
        chosen = chance.sample(clients, 4)
        if any(a != b and a.lower() in b.lower() for a in chosen for b in chosen):
            return None
        given = []
        for number in range(chance.randint(7, 11)):
            day = world.day(3, 200)
            lines = [f"Notes of {day.isoformat()}", ""]
            for _ in range(chance.randint(3, 7)):
                who = chance.choice(chosen)
                lines.append(
                    chance.choice(
                        (
                            f"{who} called about the {chance.choice(MATTERS)}.",
                            f"Sent the {chance.choice(KINDS)} to {who}.",
                            f"{chance.choice(MATTERS).capitalize()}: {who} wants to wait.",
                            chance.choice(CLOSINGS),
                        )
                    )
                )
            given.append((f"{day:%Y-%m}/note-{number + 1:02d}.md", "\n".join(lines) + "\n"))
        term = chosen[0]
        hits = sum(term in text for _, text in given)
        if not 3 <= hits < len(given):
            return None
        folder = world.path(chance.choice(("notes", "journal", "minutes")), "")
        path = world.path(f"mentions {term}", ".csv", "out", "report")
        return cls(folder, term, path, tuple(given))

    def apply(self, inputs: Sequence[Value]) -> Step:
        files = {f"{self.folder}/{name}": text.encode() for name, text in self.given}
        rows = [
            (name, str(number))
            for name, text in sorted(self.given)
            for number, line in enumerate(text.splitlines(), 1)
            if self.term in line
        ]
        code = "\n".join(
            (
                "«out» = []",
                f"for path in sorted(Path({self.folder!r}).rglob('*.md')):",
                "    for number, line in enumerate(path.read_text().splitlines(), 1):",
                f"        if {self.term!r} in line:",
                f"            «out».append({{'file': path.relative_to({self.folder!r}).as_posix(), "
                "'line': number})",
                f"write_csv({self.path!r}, «out», {{'file': 0, 'line': 0}})",
            )
        )
        do = (
            f"find every line in `{self.folder}/` that mentions {self.term} and list file and line "
            f"number in `{self.path}`",
            f"go through the notes in `{self.folder}/` for {self.term}: each line with the name "
            f"goes into `{self.path}`, with its file and line number",
        )
        note = f"`file` relative to `{self.folder}/`; the first line of a file is line 1."
        columns = ("file", "line")
        deliver = list_deliverable(self.path, columns, rows, columns, note, do[0])
        return Step(None, Say(do=do), code, ("path", "write_csv"), files, deliver=deliver)
