"""Another date inside one sandbox, so that a reference that depends on today's is found.

There is no clock of its own for a sandbox without privileges, so two programs are misled where
they ask for the time: Python, by a `sitecustomize` that moves `time` and `datetime`, and the
shell's `date`, by a wrapper in front of it on PATH. Both lie outside the workspace, and the shell
finds them through BASH_ENV. A program that asks the kernel itself (SQLite's `now`, node, a
`python3 -I`) still sees today.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources

from clawgym_bench.sandbox import File

FOLDER = "/tmp/clock"
SITE = "clock_site.py"

_SHELL = f"""case ":$PATH:" in *:{FOLDER}:*) ;; *)
  export PATH="{FOLDER}:$PATH" PYTHONPATH="{FOLDER}${{PYTHONPATH:+:$PYTHONPATH}}" ;;
esac
"""

# GNU date reads a day and a wish together ("2031-02-28 23:30:00 yesterday"), so that what is
# relative moves too; a wish with a year, a moment (@...) or a file is its own.
_DATE = f"""#!/bin/bash
PATH="${{PATH#{FOLDER}:}}"
now=$(date -u -d "+$CLOCK_OFFSET seconds" '+%F %T UTC')
arguments=() given=
while [ $# -gt 0 ]; do
  case $1 in
    -d|--date) wish=$2 given=1; shift ;;
    -d*) wish=${{1#-d}} given=1 ;;
    --date=*) wish=${{1#--date=}} given=1 ;;
    -r|-f) arguments+=("$1" "$2") given=1; shift 2; continue ;;
    -r*|-f*|--reference=*|--file=*) arguments+=("$1") given=1; shift; continue ;;
    *) arguments+=("$1"); shift; continue ;;
  esac
  [[ $wish == @* || $wish =~ [0-9]{{4}} ]] || wish="$now $wish"
  arguments+=(-d "$wish"); shift
done
[ -n "$given" ] || arguments+=(-d "$now")
exec date "${{arguments[@]}}"
"""


@dataclass(frozen=True)
class Clock:
    """What a sandbox needs for another date: `files` outside its workspace, `env` for commands."""

    files: Mapping[str, File]
    env: Mapping[str, str]


def clock_at(moment: datetime) -> Clock:
    """A clock that shows `moment` (with a zone) now, and then goes on."""
    offset = round((moment - datetime.now(UTC)).total_seconds())
    site = resources.files("clawgym_bench.audit").joinpath(SITE).read_bytes()
    files = {
        f"{FOLDER}/sitecustomize.py": File(site, 0o644),
        f"{FOLDER}/date": File(_DATE.encode(), 0o755),
        f"{FOLDER}/env.sh": File(_SHELL.encode(), 0o644),
    }
    return Clock(files, {"BASH_ENV": f"{FOLDER}/env.sh", "CLOCK_OFFSET": str(offset)})
