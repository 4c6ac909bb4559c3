#!/usr/bin/env python3
"""Looks at relay settings. See README.md."""

import argparse
import configparser
import re
import sys

KNOWN = {
    "relay": {"name", "site-code", "listen", "log-level"},
    "upstream": {"hosts", "timeout", "retry", "backoff"},
    "channel": {"source", "interval", "poll", "unit", "enabled"},
}
REQUIRED = {"relay": ["name", "site-code"], "upstream": ["hosts"], "channel": ["source"]}
SITE = re.compile(r"[A-Za-z]{3}-\d\d")


class SettingsError(Exception):
    """Settings that cannot be used."""


def load(path):
    """The sections of a format 1 file, as a dict of dicts, in their order."""
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes=("#", ";"))
    try:
        with open(path, encoding="utf-8") as file:
            parser.read_file(file)
    except (OSError, configparser.Error, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from None
    return {section: dict(parser[section]) for section in parser.sections()}


def kind_of(section):
    """relay, upstream, channel, or None for a section that format 1 does not know."""
    name = section.lower()
    if name.startswith("channel:"):
        return "channel"
    return name if name in KNOWN else None


def problems(settings):
    """What is wrong with format 1 settings, in words."""
    found = []
    kinds = {kind_of(section) for section in settings}
    found += [f"no section [{kind}]" for kind in ("relay", "upstream") if kind not in kinds]
    for section, values in settings.items():
        kind = kind_of(section)
        for key in REQUIRED.get(kind, []):
            if not values.get(key, "").strip():
                found.append(f"[{section}] has no {key}")
        if kind == "relay" and values.get("site-code") and not SITE.fullmatch(values["site-code"]):
            found.append(f"[{section}] site-code {values['site-code']!r} is not like ABC-12")
    return found


def show(args):
    for section, values in load(args.file).items():
        for key, value in values.items():
            print(f"{section}.{key} = {value}")
    return 0


def lint(args):
    bad = 0
    for path in args.files:
        for problem in problems(load(path)):
            print(f"{path}: {problem}")
            bad = 1
    return bad


def main(argv=None):
    parser = argparse.ArgumentParser(prog="relayctl")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("show", help="settings as one line each")
    command.add_argument("file")
    command.set_defaults(run=show)
    command = commands.add_parser("lint", help="says what is wrong")
    command.add_argument("files", nargs="+")
    command.set_defaults(run=lint)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except SettingsError as error:
        print(f"relayctl: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
