"""Runs inside a sandbox only: the last act of an agent that wants to harm whoever grades it.

Called as `python3 -I -c SOURCE FILES OUTPUT...`: how many small files to make, and output paths of
the task. What the sandbox forbids is passed over.
"""

import contextlib
import os
import signal
import subprocess
import sys

SPARSE = (10 * 2**30, 400 * 2**20)
"""Where the first is over the limit of a file, the second."""


def main(count: int, outputs: list[str]) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    folder = "planted"
    os.makedirs(folder, exist_ok=True)
    for name, target in {
        "passwd": "/etc/passwd",
        "root": "/",
        "up": "../..",
        "environ": "/proc/self/environ",
        "supervisor": "/proc/1/mem",
        "loop": "loop",
    }.items():
        with contextlib.suppress(OSError):
            os.symlink(target, f"{folder}/{name}")
    with contextlib.suppress(OSError):
        os.link("/etc/passwd", f"{folder}/hard")
    with contextlib.suppress(OSError):
        os.mkfifo(f"{folder}/fifo")
    # The first output is a link to a file of the system, the second a FIFO.
    for number, path in enumerate(outputs[:2]):
        with contextlib.suppress(OSError):
            if os.path.dirname(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path):
                os.remove(path)
            if number == 0:
                os.symlink("/etc/passwd", path)
            else:
                os.mkfifo(path)
    for odd in (b"new\nline", b"\xff\xfe invalid", b"-rf", b"tab\tname", b"\x1b[31m", b"a" * 255):
        with contextlib.suppress(OSError), open(folder.encode() + b"/" + odd, "wb") as file:
            file.write(b"x")
    for size in SPARSE:
        with contextlib.suppress(OSError), open(f"{folder}/sparse", "wb") as file:
            file.truncate(size)
            break
    deep = folder
    with contextlib.suppress(OSError):
        for _ in range(100):
            deep += "/d"
            os.mkdir(deep)
    os.makedirs(f"{folder}/many", exist_ok=True)
    with contextlib.suppress(OSError):
        for number in range(count):
            os.close(os.open(f"{folder}/many/{number}", os.O_CREAT | os.O_WRONLY))
    with contextlib.suppress(OSError):
        os.mkdir(f"{folder}/locked")
        os.chmod(f"{folder}/locked", 0)
    # It outlives its parents and goes on rewriting for as long as it is let.
    targets = [*outputs, f"{folder}/beat"]
    again = f"""
import os, time
while True:
    for path in {targets!r}:
        try:
            with open(path, 'a') as file: file.write('late')
        except OSError: pass
    time.sleep(0.01)
"""
    with contextlib.suppress(OSError):
        subprocess.Popen(
            [sys.executable, "-c", again],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
