#!/bin/bash
# Makes Docker and the sandbox image usable on a bare Debian 12 machine. Run as root; safe to
# repeat: what is already there is left alone.
#   .ci/docker-setup.sh [PYTHON]     PYTHON has clawgym installed (default: .venv/bin/python)
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-.venv/bin/python}
log=/var/log/clawgym-dockerd.log

[ "$(id -u)" = 0 ] || { echo "docker-setup: must run as root" >&2; exit 2; }

missing=()
command -v dockerd >/dev/null || missing+=(docker.io iptables)
command -v debootstrap >/dev/null || missing+=(debootstrap)
if [ ${#missing[@]} -gt 0 ]; then
    echo "docker-setup: installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        "${missing[@]}" >/dev/null
fi

answers() { "$python" -c 'from clawgym_bench.sandbox.image.build import connect; connect()' 2>/dev/null; }

if ! answers; then
    echo "docker-setup: starting dockerd (log: $log)"
    # The pid file of a daemon that is gone keeps a new one from starting.
    if [ -f /var/run/docker.pid ] && ! kill -0 "$(cat /var/run/docker.pid)" 2>/dev/null; then
        rm -f /var/run/docker.pid
    fi
    nohup dockerd >"$log" 2>&1 </dev/null &
    for _ in $(seq 60); do
        [ -S /var/run/docker.sock ] && answers && break
        sleep 0.5
    done
    answers || { tail -20 "$log" >&2; echo "docker-setup: dockerd does not answer" >&2; exit 2; }
fi

"$python" - <<'EOF'
import time

from clawgym_bench.errors import SandboxUnavailable
from clawgym_bench.sandbox.image import build_image, check_image

start = time.monotonic()
try:
    info = check_image()
    built = "is there" if info.current else "is of another recipe"
except SandboxUnavailable:
    info, built = None, "is missing"
if info is None or not info.current:
    print(f"docker-setup: the image {built}: building", flush=True)
    info = build_image()
    built = f"built in {time.monotonic() - start:.0f} s"
print(f"docker-setup: {info.name} {info.digest[:19]} {info.size // 2**20} MB, {built}")
EOF
