#!/bin/sh
# Turns an installed Debian into the sandbox image. Runs inside it as root, from the Dockerfile or
# after debootstrap, so that both ways end in the same tree.
set -eu

ln -sf python3 /usr/bin/python
for user in agent:1000 grader:1001; do
    name=${user%:*} id=${user#*:}
    echo "$name:x:$id:" >>/etc/group
    echo "$name:x:$id:$id:$name:/home/agent:/bin/bash" >>/etc/passwd
done

# Mount points: the container's root is read-only. Any user must be able to pass through them.
mkdir -p /workspace /home/agent /root/.openclaw/workspace
chmod 755 /root /root/.openclaw /root/.openclaw/workspace /workspace /home/agent

mkdir -p /usr/share/claw
dpkg-query -W -f '${Package} ${Version}\n' >/usr/share/claw/packages

# No program of the image needs to become somebody else.
find / -xdev -type f -perm /6000 -exec chmod a-s {} +

rm -rf /var/cache/apt/* /var/lib/apt/lists/* /var/cache/debconf/* /var/log/* /tmp/* /var/tmp
rm -rf /usr/share/doc/* /usr/share/man/* /usr/share/info/* /usr/share/lintian /usr/share/locale/*
rm -rf /usr/share/gitweb /usr/share/bash-completion /usr/share/bug
rm -rf /usr/lib/python3/dist-packages/pandas/tests /usr/lib/python3/dist-packages/numpy/*/tests
find /usr/lib/python3 -path '*/tests/__pycache__' -prune -exec rm -rf {} +
ln -s /tmp /var/tmp

# Nothing of the machine that built it.
rm -f /etc/hostname /etc/resolv.conf /etc/machine-id /etc/ssh/ssh_host_* /root/.bash_history
printf '127.0.0.1 localhost\n::1 localhost\n' >/etc/hosts
