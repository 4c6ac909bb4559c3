"""The command line."""

import argparse
import sys

from shiftledger.model import PunchError
from shiftledger.punches import read_holidays, read_punches
from shiftledger.report import totals, totals_text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="shiftledger")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("totals", help="minutes per person")
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
    print(totals_text(totals(shifts, holidays)))
    return 0
