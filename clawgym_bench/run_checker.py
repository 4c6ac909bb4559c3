"""Runs inside a grading sandbox only: an imported checker, its output caught in a private file.

Called as `python3 -I -c SOURCE SCRIPT WORKSPACE`, the private file's path on standard input. What
processes started by the checker print goes nowhere; only what the checker itself prints counts.
"""

import contextlib
import io
import os
import runpy
import subprocess
import sys


def main() -> None:
    private = sys.stdin.read().strip()
    script, workspace = sys.argv[1:3]
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    folder = os.path.dirname(script)
    caught = io.StringIO()
    status = 0
    if script.endswith(".sh"):
        offered = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = f"{folder}:{offered}".rstrip(":")
        done = subprocess.run(["bash", script, workspace], stdout=subprocess.PIPE, check=False)
        caught.write(done.stdout.decode(errors="replace"))
        status = done.returncode
    else:
        sys.argv = [script, workspace]
        sys.path.insert(0, folder)
        # What the sandbox itself offers; -I left it out together with the workspace.
        sys.path += [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]
        with contextlib.redirect_stdout(caught):
            try:
                runpy.run_path(script, run_name="__main__")
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
    with open(private, "x", encoding="utf-8") as out:
        out.write(caught.getvalue())
    sys.exit(status)


if __name__ == "__main__":
    main()
