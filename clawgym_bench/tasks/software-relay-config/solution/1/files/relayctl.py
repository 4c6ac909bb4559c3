#!/usr/bin/env python3
"""Looks at relay settings. See README.md."""

import argparse
import configparser
import json
import os
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


YES = {"yes": True, "on": True, "true": True, "1": True}
NO = {"no": False, "off": False, "false": False, "0": False}
LEVELS = {"error": "error", "warning": "warning", "info": "info", "verbose": "debug"}
UNITS = {"s": 1, "m": 60, "h": 3600}
DURATION = re.compile(r"(?:\d+[smh])+|\d+")
HUB_PORT = 7443


def seconds(text):
    """A duration in whole seconds."""
    if not DURATION.fullmatch(text.strip()):
        raise SettingsError(f"cannot read the duration {text!r}")
    if text.strip().isdigit():
        return int(text)
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([smh])", text))


def truth(text):
    found = {**YES, **NO}.get(text.strip().lower())
    if found is None:
        raise SettingsError(f"{text!r} is neither yes nor no")
    return found


def address(text, port=None):
    """Host and port of `host:port`, `:port` or, where there is a default port, `host`."""
    host, colon, number = text.strip().rpartition(":")
    if not colon:
        host, number = text.strip(), port
    if number is None or not str(number).isdigit():
        raise SettingsError(f"cannot read the address {text!r}")
    return host.lower(), int(number)


def hubs(text):
    found = []
    for part in text.split(","):
        if part.strip():
            host, port = address(part, HUB_PORT)
            if f"{host}:{port}" not in found:
                found.append(f"{host}:{port}")
    return found


def converted(settings):
    """Format 1 settings in format 2.0."""
    if wrong := problems(settings):
        raise SettingsError("; ".join(wrong))
    relay, upstream, channels, extra = {}, {}, [], {}
    for section, values in settings.items():
        kind = kind_of(section)
        for key, value in values.items():
            if key not in KNOWN.get(kind, ()):
                extra[f"{section}.{key}".lower()] = value
        if kind == "relay":
            relay = values
        elif kind == "upstream":
            upstream = values
        elif kind == "channel":
            what, _, where = values["source"].partition(":")
            channels.append(
                {
                    "name": section.partition(":")[2],
                    "kind": what,
                    "address": where,
                    "interval": seconds(values.get("interval") or values.get("poll") or "60s"),
                    "unit": values.get("unit", ""),
                    "enabled": truth(values.get("enabled", "yes")),
                }
            )
    host, port = address(relay.get("listen", "0.0.0.0:7070"))
    if port < 1024:
        raise SettingsError(f"a relay may not listen on port {port}")
    level = relay.get("log-level", "info")
    if level not in LEVELS:
        raise SettingsError(f"cannot read the log-level {level!r}")
    document = {
        "format": "2.0",
        "name": relay["name"],
        "site": relay["site-code"].upper(),
        "listen": {"host": host or "0.0.0.0", "port": port},
        "log_level": LEVELS[level],
        "upstream": {
            "hosts": hubs(upstream["hosts"]),
            "timeout": seconds(upstream.get("timeout", "30s")),
            "retry": seconds(upstream.get("retry", "5m")),
            "backoff": truth(upstream.get("backoff", "no")),
        },
        "channels": sorted(channels, key=lambda channel: channel["name"].lower()),
    }
    if extra:
        document["extra"] = extra
    return document


def put(document, path):
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if path is None:
        sys.stdout.write(text)
        return
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def convert(args):
    put(converted(load(args.file)), args.output)
    return 0


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
    command = commands.add_parser("convert", help="format 1 to format 2.0")
    command.add_argument("file")
    command.add_argument("-o", "--output")
    command.set_defaults(run=convert)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except SettingsError as error:
        print(f"relayctl: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
