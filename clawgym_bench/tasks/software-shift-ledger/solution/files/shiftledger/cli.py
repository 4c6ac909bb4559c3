"""The command line."""

import argparse
import json
import sys

from shiftledger.model import PunchError
from shiftledger.punches import read_holidays, read_punches
from shiftledger.report import totals, totals_text, weekly_totals


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="shiftledger")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("totals", "minutes per person"),
        ("weekly", "paid hours per week and person, as JSON"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("file")
        command.add_argument("--holidays")
    return parser


def main(argv: list[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    try:
        holidays = read_holidays(args.holidays) if args.holidays else frozenset()
        shifts = read_punches(args.file)
    except PunchError as error:
        print(f"{args.file}, {error}", file=sys.stderr)
        return 2
    if args.command == "weekly":
        print(json.dumps(weekly_totals(shifts, holidays), indent=2, ensure_ascii=False))
    else:
        print(totals_text(totals(shifts, holidays)))
    return 0
