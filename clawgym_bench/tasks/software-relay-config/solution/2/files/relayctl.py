#!/usr/bin/env python3
"""Looks at relay settings. See README.md."""

import argparse
import configparser
import csv
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
UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
DURATION = re.compile(r"(?:\d+(?:ms|[smh]))+|\d+")
HUB_PORT = 7443


def milliseconds(text):
    """A duration in milliseconds."""
    if not DURATION.fullmatch(text.strip()):
        raise SettingsError(f"cannot read the duration {text!r}")
    if text.strip().isdigit():
        return int(text) * 1000
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)(ms|[smh])", text))


def whole_seconds(text):
    found = milliseconds(text)
    if found % 1000:
        raise SettingsError(f"format 2.0 has whole seconds only, not {text.strip()}")
    return found // 1000


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


def converted(settings, seconds=whole_seconds):
    """Format 1 settings in format 2.0. `seconds` reads a duration."""
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


def regions(path):
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            return {row["prefix"].strip().lower(): row["region"] for row in csv.DictReader(file)}
    except (OSError, KeyError) as error:
        raise SettingsError(f"{path}: {error}") from None


def raised(document, known):
    """Format 2.0 in format 2.1; 2.1 as it is."""
    if document.get("format") == "2.1":
        return document
    if document.get("format") != "2.0":
        raise SettingsError(f"format {document.get('format')!r} is neither 2.0 nor 2.1")
    prefix = document["site"].partition("-")[0]
    if prefix.lower() not in known:
        raise SettingsError(f"no region for the prefix {prefix}")
    upstream = document["upstream"]
    servers = [
        dict(zip(("host", "port"), address(hub)), role="standby" if number else "primary")
        for number, hub in enumerate(upstream["hosts"])
    ]
    channels, parked = {}, {}
    for channel in document["channels"]:
        (channels if channel["enabled"] else parked)[channel["name"]] = {
            "kind": channel["kind"],
            "address": channel["address"],
            "interval_ms": round(channel["interval"] * 1000),
            "unit": channel["unit"],
        }
    found = {
        "format": "2.1",
        "name": document["name"],
        "site": document["site"],
        "region": known[prefix.lower()],
        "listen": f"{document['listen']['host']}:{document['listen']['port']}",
        "log_level": document["log_level"],
        "upstream": {
            "servers": servers,
            "timeout_ms": round(upstream["timeout"] * 1000),
            "retry_ms": round(upstream["retry"] * 1000),
            "backoff": upstream["backoff"],
        },
        "channels": channels,
        "parked": parked,
    }
    if "extra" in document:
        found["extra"] = document["extra"]
    return found


def convert(args):
    settings = load(args.file)
    if args.to == "2.0":
        document = converted(settings)
    elif args.regions is None:
        raise SettingsError("format 2.1 needs --regions")
    else:
        document = converted(settings, lambda text: milliseconds(text) / 1000)
        document = raised(document, regions(args.regions))
    put(document, args.output)
    return 0


def upgrade(args):
    try:
        with open(args.file, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{args.file}: {error}") from None
    put(raised(document, regions(args.regions)), args.output)
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
    command = commands.add_parser("convert", help="format 1 to format 2.1 or 2.0")
    command.add_argument("file")
    command.add_argument("--to", choices=["2.0", "2.1"], default="2.1")
    command.add_argument("--regions")
    command.add_argument("-o", "--output")
    command.set_defaults(run=convert)
    command = commands.add_parser("upgrade", help="format 2.0 to format 2.1")
    command.add_argument("file")
    command.add_argument("--regions", required=True)
    command.add_argument("-o", "--output")
    command.set_defaults(run=upgrade)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except SettingsError as error:
        print(f"relayctl: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
