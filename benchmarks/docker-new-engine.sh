#!/bin/bash
# A second, newer Docker beside the one that Debian 12 has: Inspect's own `docker` provider asks for
# Engine >= 24.0.6 and Compose >= 2.21, Debian 12 has 20.10. The packages of Debian 13 are unpacked
# into a folder, not installed: the daemon of the machine, its settings and its images stay as they
# are. Run as root on Debian 12; safe to repeat.
#   benchmarks/docker-new-engine.sh start   fetch, unpack, start, copy our image
#   benchmarks/docker-new-engine.sh env     what to `eval` to use it
#   benchmarks/docker-new-engine.sh stop    stop it and remove everything
set -euo pipefail
cd "$(dirname "$0")/.."
self=benchmarks/docker-new-engine.sh
python=${PYTHON:-.venv/bin/python}
folder=/var/lib/clawgym-docker
packages=(docker.io docker-cli docker-compose docker-buildx)
pid=$folder/docker.pid

say() { echo "docker-new-engine: $*" >&2; }
fail() { say "$*"; exit 2; }
runs() { [ -f $pid ] && [ "$(cat "/proc/$(cat $pid)/comm" 2>/dev/null)" = dockerd ]; }

case ${1:-} in
start) ;;
env)
    runs || fail "not running: $self start"
    echo "export DOCKER_HOST=unix://$folder/docker.sock DOCKER_CONFIG=$folder/config"
    echo "export PATH=$folder/root/usr/bin:\$PATH"
    exit
    ;;
stop)
    if runs; then
        kill "$(cat $pid)"
        for _ in $(seq 120); do
            runs || break
            sleep 0.5
        done
        runs && fail "dockerd does not stop"
    fi
    rm -rf $folder
    exit
    ;;
*) fail "usage: $self start | env | stop" ;;
esac

[ "$(id -u)" = 0 ] || fail "must run as root"
. /etc/os-release
[ "${VERSION_CODENAME:-}" = bookworm ] || fail "made for Debian 12, this is ${PRETTY_NAME:-unknown}"
command -v containerd >/dev/null || fail "no containerd; run .ci/docker-setup.sh first"

fetch() {
    # apt's settings of our own: the machine's source with the suite's name replaced.
    local source=/etc/apt/sources.list.d/debian.sources suffix=sources
    [ -s $source ] || { source=/etc/apt/sources.list suffix=list; }
    rm -rf $folder/apt $folder/root
    mkdir -p $folder/apt/{sources,lists/partial,deb} $folder/root $folder/config/cli-plugins
    sed 's/bookworm/trixie/g' $source >$folder/apt/sources/trixie.$suffix
    cat >$folder/apt/apt.conf <<EOF
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$folder/apt/sources";
Dir::State::Lists "$folder/apt/lists";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Sandbox::User "root";
EOF
    local -x APT_CONFIG=$folder/apt/apt.conf
    apt-get update -qq
    (cd $folder/apt/deb && apt-get download -qq "${packages[@]}")
    for package in $folder/apt/deb/*.deb; do dpkg -x "$package" $folder/root; done
    cp $folder/root/usr/libexec/docker/cli-plugins/* $folder/config/cli-plugins/
    rm -rf $folder/apt
}

[ -x $folder/root/usr/sbin/dockerd ] || fetch

# No bridge and no firewall rules: what is measured has no network, and the machine's own daemon
# is not to be disturbed.
if ! runs; then
    nohup $folder/root/usr/sbin/dockerd --data-root $folder/data --exec-root $folder/exec \
        --host unix://$folder/docker.sock --pidfile $pid --cgroup-parent /clawgym-docker \
        --bridge=none --iptables=false --ip6tables=false >$folder/log 2>&1 </dev/null &
fi
machine=${DOCKER_HOST:-unix:///var/run/docker.sock}
for _ in $(seq 20); do
    runs && break
    sleep 0.5
done
eval "$($self env)"
for _ in $(seq 60); do
    docker version >/dev/null 2>&1 && break
    sleep 0.5
done
docker version >/dev/null || { tail -20 $folder/log >&2; fail "dockerd does not answer"; }

image=$("$python" -c 'from clawgym_bench.sandbox.image.build import image_name; print(image_name())')
if ! docker image inspect "$image" >/dev/null 2>&1; then
    docker -H "$machine" image inspect "$image" >/dev/null ||
        fail "no image $image on $machine; run .ci/docker-setup.sh first"
    docker -H "$machine" save "$image" | docker load >/dev/null
fi
say "engine $(docker version --format '{{.Server.Version}}')," \
    "compose $(docker compose version --short), image $image; now: eval \"\$($self env)\""
