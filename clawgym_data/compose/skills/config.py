"""Configuration: settings to change, files from a list, versions to raise, jobs to plan."""

import configparser
import io
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

import yaml

from clawgym_bench.task import Output
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Table, Value, plain
from clawgym_data.compose.world import World

Setting = str | int | bool

SECTIONS: Mapping[str, Mapping[str, tuple[Setting, ...]]] = {
    "server": {
        "host": ("0.0.0.0", "127.0.0.1"),
        "port": (8080, 8443, 9000, 3000),
        "workers": (2, 4, 6, 8),
        "timeout_seconds": (15, 30, 60, 90),
    },
    "database": {
        "name": ("main", "store", "records"),
        "pool_size": (5, 10, 20),
        "read_only": (True, False),
    },
    "logging": {
        "level": ("debug", "info", "warning"),
        "format": ("plain", "json", "short"),
        "keep_days": (7, 14, 30, 60),
    },
    "backup": {
        "enabled": (True, False),
        "hour": (1, 2, 3, 23),
        "keep_copies": (3, 5, 7, 10),
        "target": ("nas", "attic", "cellar"),
    },
    "mail": {
        "sender": ("office@example.org", "robot@example.org"),
        "batch_size": (20, 50, 100),
        "retries": (2, 3, 5),
    },
    "cache": {"enabled": (True, False), "megabytes": (64, 128, 256), "minutes": (5, 10, 60)},
}
"""Sections of an application's settings, with values that each may have."""


def shown(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def toml_text(document: Mapping[str, Mapping[str, Setting]], comment: str) -> str:
    lines = [f"# {comment}"]
    for section, values in document.items():
        lines += ["", f"[{section}]"]
        lines += [
            f"{key} = {json.dumps(value) if isinstance(value, str) else shown(value)}"
            for key, value in values.items()
        ]
    return "\n".join(lines) + "\n"


def ini_text(document: Mapping[str, Mapping[str, Setting]], comment: str) -> str:
    parser = configparser.ConfigParser()
    parser.read_dict({s: {k: shown(v) for k, v in d.items()} for s, d in document.items()})
    text = io.StringIO()
    parser.write(text)
    return f"# {comment}\n\n{text.getvalue()}"


def document_text(document: Mapping[str, Mapping[str, Setting]], form: str, comment: str) -> str:
    if form == "json":
        return json.dumps(document, indent=2) + "\n"
    if form == "yaml":
        return f"# {comment}\n" + yaml.safe_dump(dict(document), sort_keys=False)
    return toml_text(document, comment)


EDITS = {
    "json": """
    def set_value(path, section, key, value):
        data = json.loads(Path(path).read_text())
        data[section][key] = value
        Path(path).write_text(json.dumps(data, indent=2) + "\\n")
    """,
    "yaml": """
    def set_value(path, section, key, value):
        shown = json.dumps(value)
        text = Path(path).read_text()
        block = re.compile(rf"(?m)^{section}:\\n(?:  .*\\n)*")
        found = block.search(text)
        changed = re.sub(rf"(?m)^  {key}: .*$", f"  {key}: {shown}", found.group())
        Path(path).write_text(text[: found.start()] + changed + text[found.end() :])
    """,
    "toml": """
    def set_value(path, section, key, value):
        shown = json.dumps(value)
        text = Path(path).read_text()
        block = re.compile(rf"(?m)^\\[{section}\\]\\n(?:[a-z].*\\n)*")
        found = block.search(text)
        changed = re.sub(rf"(?m)^{key} = .*$", f"{key} = {shown}", found.group())
        Path(path).write_text(text[: found.start()] + changed + text[found.end() :])
    """,
}
for form, source in EDITS.items():
    imports = ["import json", "from pathlib import Path"]
    helper(f"set_value_{form}", source, [*imports, *(["import re"] if form != "json" else [])])


@skill("change-settings", "edit-config", takes=(), gives=None, sink=True, weight=1.2)
@dataclass(frozen=True)
class ChangeSettings(Skill):
    """Some settings of an application change, everything else in the file stays."""

    path: str
    form: str
    document: tuple[tuple[str, tuple[tuple[str, Setting], ...]], ...]
    changes: tuple[tuple[str, str, Setting], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        names = chance.sample(sorted(SECTIONS), chance.randint(3, 5))
        document = {
            name: {key: chance.choice(values) for key, values in SECTIONS[name].items()}
            for name in names
        }
        places = [(section, key) for section in names for key in document[section]]
        changes = []
        for section, key in chance.sample(places, chance.randint(2, 4)):
            others = [v for v in SECTIONS[section][key] if v != document[section][key]]
            changes.append((section, key, chance.choice(others)))
        form = chance.choice(("json", "yaml", "toml"))
        path = world.path(
            chance.choice(("settings", "app", "service")), f".{form}", "config", "etc"
        )
        fixed = tuple((name, tuple(values.items())) for name, values in document.items())
        return cls(path, form, fixed, tuple(changes))

    def detail(self) -> str:
        return f"{self.form}/{len(self.changes)}"

    def apply(self, inputs: Sequence[Value]) -> Step:
        before = {name: dict(values) for name, values in self.document}
        after = {name: dict(values) for name, values in self.document}
        for section, key, value in self.changes:
            after[section][key] = value
        comment = "Settings of the application. Restart it after a change."
        expected = f"expected/{self.path}"
        wanted = document_text(after, self.form, comment)
        check = {"data": {"path": self.path, "equals": expected, "exact": True}, "weight": 2}
        told = [
            f"`{key}` in the section `{section}` to `{shown(value)}`"
            for section, key, value in self.changes
        ]
        listed = ", ".join(told[:-1]) + " and " + told[-1]
        do = (
            f"in `{self.path}`, set {listed}, and leave everything else there as it is",
            f"change `{self.path}`: set {listed}; all other settings keep their values",
        )
        code = "\n".join(
            f"set_value({self.path!r}, {section!r}, {key!r}, {value!r})"
            for section, key, value in self.changes
        )
        deliver = Deliverable(
            self.path,
            do[0],
            (),
            (check,),
            hidden={expected: wanted.encode()},
            editable=(self.path,),
        )
        files = {self.path: document_text(before, self.form, comment).encode()}
        needs = (f"set_value_{self.form}",)
        return Step(None, Say(do=do), code, needs, files, deliver=deliver)


helper("yaml", "", ["import yaml"])


@skill("file-per-row", "edit-config", takes=(Table,), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class FilePerRow(Skill):
    """One small settings file for each row of a table, named by its key."""

    folder: str
    form: str
    columns: tuple[str, ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        if not table.key or not 3 <= len(table) <= 14:
            return None
        keys = [str(value) for value in table.values(table.key)]
        if not all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}", key) for key in keys):
            return None
        names = [c.name for c in table.columns if re.fullmatch(r"[A-Za-z_]\w*", c.name)]
        others = [name for name in names if name != table.key]
        if len(others) < 2 or table.key not in names:
            return None
        chosen = world.random.sample(others, min(len(others), world.random.randint(2, 4)))
        folder = world.path(f"{table.noun.plural} cards", "", "out", "config", "")
        return cls(folder, world.random.choice(("json", "yaml")), tuple(sorted(chosen)))

    def detail(self) -> str:
        return self.form

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        assert table.key
        checks: list[Mapping[str, Any]] = []
        names = (table.key, *self.columns)
        for row in table:
            document: dict[str, Any] = {}
            for name in names:
                value = row[name]
                places = table.column(name).decimals
                if isinstance(value, Decimal):
                    document[name] = float(plain(value, places))
                elif isinstance(value, bool | int) or value is None:
                    document[name] = value
                else:
                    document[name] = plain(value)
            path = f"{self.folder}/{row[table.key]}.{self.form}"
            values = {"path": path, "values": document, "decimals": 2}
            checks.append({"data": values, "weight": 1})
        keys = ", ".join(f"`{name}`" for name in names)
        one = table.noun.singular
        key_label = table.column(table.key).label
        do = (
            f"make one file per {one} of {table.said} in `{self.folder}/`, named "
            f"`<{key_label}>.{self.form}`, with the keys {keys}",
            f"write {table.said} as single files, `{self.folder}/<{key_label}>.{self.form}`, each "
            f"with the keys {keys}",
        )
        kinds = {n: (table.column(n).kind, table.column(n).decimals) for n in names}
        dump = "json.dumps(data, indent=2)" if self.form == "json" else "yaml.safe_dump(data)"
        code = "\n".join(
            (
                "for row in «0»:",
                "    data = {}",
                f"    for name, (kind, places) in {kinds!r}.items():",
                "        value = row[name]",
                "        if isinstance(value, Decimal):",
                "            value = float(plain(value, places))",
                "        elif value is not None and not isinstance(value, (bool, int)):",
                "            value = plain(value)",
                "        data[name] = value",
                f"    name = row[{table.key!r}] + {'.' + self.form!r}",
                f"    Path(folder({self.folder + '/'!r} + name)).write_text({dump} + '\\n')",
            )
        )
        output = Output(
            path=f"{self.folder}/",
            format=self.form,
            keys=list(names),
            note=f"One file per {one}; numbers as numbers.",
        )
        deliver = Deliverable(f"{self.folder}/", do[0], (output,), tuple(checks))
        needs = ("plain", "folder", "decimal", self.form)
        return Step(None, Say(do=do), code, needs, deliver=deliver)


PACKAGES = ("ledger", "routes", "sheets", "clockwork", "mailbag", "palette", "gauge", "relay")


def _version(chance: random.Random) -> tuple[int, int, int]:
    return (chance.randint(0, 4), chance.randint(0, 11), chance.randint(0, 9))


def _dotted(version: Sequence[int]) -> str:
    return ".".join(map(str, version))


@skill("raise-versions", "edit-config", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class RaiseVersions(Skill):
    """Pinned versions below the fixed one of an advisory are raised to it."""

    path: str
    advisories: str
    pins: tuple[tuple[str, tuple[int, int, int]], ...]
    fixed: tuple[tuple[str, tuple[int, int, int]], ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        names = chance.sample(PACKAGES, chance.randint(5, 8))
        pins = {name: _version(chance) for name in names}
        fixed: dict[str, tuple[int, int, int]] = {}
        for number, name in enumerate(chance.sample(names, 4)):
            major, minor, patch = pins[name]
            later = [(major, minor + chance.randint(1, 4), 0), (major, minor, patch + 1)]
            earlier = (major, max(0, minor - 1), patch)
            fixed[name] = chance.choice(later) if number < 3 or earlier >= pins[name] else earlier
        fixed[chance.choice([p for p in PACKAGES if p not in names] or ["other"])] = (2, 0, 1)
        path = world.path(chance.choice(("requirements", "constraints")), ".txt", "", "app")
        advisories = world.path("advisories", ".json", "security", "docs")
        order = list(fixed.items())
        chance.shuffle(order)
        return cls(path, advisories, tuple(sorted(pins.items())), tuple(order))

    def apply(self, inputs: Sequence[Value]) -> Step:
        fixed = dict(self.fixed)
        raised = {name: max(v, fixed.get(name, v)) for name, v in self.pins}
        text = "".join(f"{name}=={_dotted(version)}\n" for name, version in self.pins)
        wanted = "".join(f"{name}=={_dotted(version)}\n" for name, version in raised.items())
        listed = [
            {"package": name, "fixed_in": _dotted(version), "severity": "high"}
            for name, version in self.fixed
        ]
        head = "# Installed on every machine. One package per line.\n"
        files = {
            self.path: (head + text).encode(),
            self.advisories: (json.dumps(listed, indent=2) + "\n").encode(),
        }
        expected = f"expected/{self.path}"
        check = {"text": {"path": self.path, "equals_file": expected}, "weight": 2}
        do = (
            f"go through `{self.advisories}` and, in `{self.path}`, raise every package that is "
            "pinned below its `fixed_in` version to exactly that version; the other lines and "
            "their order stay",
            f"bring `{self.path}` up to the fixed versions in `{self.advisories}`: a package below "
            "`fixed_in` gets exactly that version, nothing else in the file changes and nothing is "
            "added",
        )
        code = "\n".join(
            (
                f"«out» = {{a['package']: a['fixed_in'] for a in json.loads("
                f"Path({self.advisories!r}).read_text())}}",
                "number = lambda text: [int(part) for part in text.split('.')]",
                "lines = []",
                f"for line in Path({self.path!r}).read_text().splitlines():",
                "    name, _, version = line.partition('==')",
                "    if name in «out» and number(version) < number(«out»[name]):",
                "        line = name + '==' + «out»[name]",
                "    lines.append(line)",
                f"write_lines({self.path!r}, lines)",
            )
        )
        deliver = Deliverable(
            self.path,
            do[0],
            (),
            (check,),
            hidden={expected: (head + wanted).encode()},
            editable=(self.path,),
        )
        needs = ("json", "path", "write_lines")
        return Step(None, Say(do=do), code, needs, files, deliver=deliver)


DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
JOBS = ("backup", "report", "cleanup", "sync", "import", "reminders", "thumbnails", "statistics")


@skill("plan-cron-jobs", "automate-shell", takes=(), gives=None, sink=True, weight=0.8)
@dataclass(frozen=True)
class PlanCronJobs(Skill):
    """A crontab from a list of jobs described in words."""

    path: str
    plan: str
    jobs: tuple[tuple[str, str, str], ...]
    """Command, description in words, the five fields."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        chance = world.random
        jobs = []
        for name in chance.sample(JOBS, chance.randint(4, 6)):
            hour, minute = chance.randint(0, 23), chance.choice((0, 5, 15, 20, 30, 45))
            at = f"at {hour:02d}:{minute:02d}"
            day, date = chance.randint(0, 6), chance.randint(1, 28)
            every = chance.choice((5, 10, 15, 20))
            words, fields = chance.choice(
                (
                    (f"every day {at}", f"{minute} {hour} * * *"),
                    (f"every {DAYS[day]} {at}", f"{minute} {hour} * * {day}"),
                    (f"Monday to Friday {at}", f"{minute} {hour} * * 1-5"),
                    (f"on day {date} of every month {at}", f"{minute} {hour} {date} * *"),
                    (f"every {every} minutes", f"*/{every} * * * *"),
                    (f"every hour at minute {minute}", f"{minute} * * * *"),
                )
            )
            jobs.append((f"bin/{name}.sh", words, fields))
        plan = world.path("jobs", ".md", "docs", "ops")
        return cls(world.path("crontab", ".txt", "ops", "etc", "out"), plan, tuple(jobs))

    def apply(self, inputs: Sequence[Value]) -> Step:
        listed = "\n".join(f"- `{command}`: {words}" for command, words, _ in self.jobs)
        files = {self.plan: f"# Jobs of the machine\n\n{listed}\n\nTimes are local.\n".encode()}
        wanted = "".join(f"{fields} {command}\n" for command, _, fields in self.jobs)
        expected = f"expected/{self.path}"
        check = {"text": {"path": self.path, "equals_file": expected}, "weight": 2}
        do = (
            f"turn the job list in `{self.plan}` into cron lines in `{self.path}`, in the order of "
            "the list",
            f"write `{self.path}` with one cron line per job of `{self.plan}`, in the same order",
        )
        output = Output(
            path=self.path,
            format="text",
            note=(
                "Only the lines `minute hour day month weekday command`, single spaces, numbers "
                "without leading zeros, Sunday is 0, `1-5` for Monday to Friday, a step on "
                "the star for every so many minutes; no comments."
            ),
        )
        code = "\n".join(
            (
                "«out» = []",
                f"for line in Path({self.plan!r}).read_text().splitlines():",
                "    job = re.fullmatch(r'- `(.+?)`: (.+)', line)",
                "    if not job:",
                "        continue",
                "    command, words = job.groups()",
                "    clock = re.search(r'at (\\d\\d):(\\d\\d)', words)",
                "    minute, hour = (int(clock[2]), int(clock[1])) if clock else ('*', '*')",
                "    day = re.search(r'on day (\\d+)', words)",
                f"    named = [i for i, name in enumerate({DAYS!r}) if 'every ' + name in words]",
                "    weekday = '1-5' if 'Monday to Friday' in words else (named or ['*'])[0]",
                "    if step := re.search(r'every (\\d+) minutes', words):",
                "        minute = '*/' + step[1]",
                "    if past := re.search(r'every hour at minute (\\d+)', words):",
                "        minute = past[1]",
                "    date = day[1] if day else '*'",
                "    «out».append(f'{minute} {hour} {date} * {weekday} {command}')",
                f"write_lines({self.path!r}, «out»)",
            )
        )
        deliver = Deliverable(
            self.path, do[0], (output,), (check,), hidden={expected: wanted.encode()}
        )
        needs = ("path", "re", "write_lines")
        return Step(None, Say(do=do), code, needs, files, deliver=deliver)
