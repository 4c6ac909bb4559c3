"""The program that runs as process 1 inside every sandbox; the host talks to it over two pipes.

It is never imported by a running sandbox: the host passes this text to `python3 -I -S -E -c`, so
that both ends always match, whatever the image holds. It therefore imports nothing but small C
modules (`os`, `json`, `signal`, `subprocess` would double the start-up time) and speaks frames of
`kind (1 byte), id (4 bytes), length (4 bytes), payload`; `channel.py` is the other end.

Duties: start commands in sessions of their own, move their output with a bounded buffer, kill
them in time, reap orphans, read and write files, export the workspace, watch memory where no
cgroup does. Not dumpable, so processes of the same user cannot reach its pipes through /proc.

Settings arrive as arguments `name=value`; see `rlimits` in supervised.py.
"""

# Annotations would be evaluated at every start, and contextlib costs 2 ms to import.
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: SIM105

import _signal  # type: ignore[import-not-found]
import posix
import resource
import select
import sys
import time
from _collections import deque  # type: ignore[import-not-found]

TICK = 0.1
CHUNK = 65_536
PIPE_CHUNKS = 17  # a pipe holds 1 MiB at most
HIGH_WATER = 1 << 20
ORPHAN_PIPES = 256
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 4, 24, 38
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2

settings: dict = {}  # type: ignore[type-arg]
poller = select.poll()
handlers: dict = {}  # type: ignore[type-arg]
outgoing = deque()
producers = deque()
execs: dict = {}  # type: ignore[type-arg]  # by id
children: dict = {}  # type: ignore[type-arg]  # the same, by process id
uploads: dict = {}  # type: ignore[type-arg]
orphan_pipes = deque()
functions: list = []  # type: ignore[type-arg]
counters: list = []  # type: ignore[type-arg]  # where the kernel counts its kills for memory
state = {"queued": 0, "oom": 0, "blocked": False}


# Frames


def pack(*fields):
    parts = []
    for field in fields:
        if not isinstance(field, bytes):
            field = str(field).encode()
        parts.append(len(field).to_bytes(4, "big"))
        parts.append(field)
    return b"".join(parts)


def unpack(payload):
    fields, at = [], 0
    while at < len(payload):
        size = int.from_bytes(payload[at : at + 4], "big")
        fields.append(payload[at + 4 : at + 4 + size])
        at += 4 + size
    return fields


def send(kind, number, payload=b""):
    """Puts a frame into the queue, which goes out at the end of the loop's round."""
    frame = kind + number.to_bytes(4, "big") + len(payload).to_bytes(4, "big") + payload
    outgoing.append(frame)
    state["queued"] += len(frame)


def flush(_event=0):
    """Writes what the host takes now; the poller tells when it takes more."""
    while True:
        while producers and state["queued"] < HIGH_WATER:
            step = producers[0]
            try:
                next(step)
            except StopIteration:
                producers.popleft()
        if not outgoing:
            await_host(False)
            return
        frames, size = [], 0
        while outgoing and size < CHUNK:
            frames.append(outgoing.popleft())
            size += len(frames[-1])
        block = b"".join(frames)
        try:
            sent = posix.write(1, block)
        except BlockingIOError:
            sent = 0
        state["queued"] -= sent
        if sent < size:
            outgoing.appendleft(block[sent:])
            await_host(True)
            return


def await_host(blocked):
    if state["blocked"] != blocked:
        state["blocked"] = blocked
        poller.modify(1, select.POLLOUT if blocked else 0)


# Commands


class Stream:
    """One output pipe: the first half of the limit is sent at once, the last half is kept."""

    def __init__(self, fd, kind, owner, limit):
        self.fd, self.kind, self.owner = fd, kind, owner
        self.head, self.room = limit // 2, limit - limit // 2
        self.tail, self.kept, self.cut, self.open = deque(), 0, 0, True

    def read(self, _event=0):
        """Takes what is there now, at most a full pipe; closes at the end of the stream."""
        for _ in range(PIPE_CHUNKS):
            if not self.open:
                return
            try:
                data = posix.read(self.fd, CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self.close()
            elif self.owner is not None:
                self.take(data)
            if len(data) < CHUNK:
                return

    def take(self, data):
        if self.head:
            send(self.kind, self.owner.number, data[: self.head])
            data, self.head = data[self.head :], max(0, self.head - len(data))
        if data:
            self.tail.append(data)
            self.kept += len(data)
            while self.kept > self.room:
                spare = self.kept - self.room
                first = self.tail.popleft()
                if len(first) > spare:
                    self.tail.appendleft(first[spare:])
                lost = min(spare, len(first))
                self.kept -= lost
                self.cut += lost

    def close(self):
        if self.open:
            self.open = False
            forget(self.fd)

    def abandon(self):
        """The command is over: what its background processes still print is read and dropped."""
        for data in self.tail:
            send(self.kind, self.owner.number, data)
        self.tail.clear()
        self.owner = None
        if self.open:
            orphan_pipes.append(self)
            if len(orphan_pipes) > ORPHAN_PIPES:
                orphan_pipes.popleft().close()


class Exec:
    def __init__(self, number, payload):
        cwd, timeout, limit, argc, *rest = unpack(payload)
        self.number, self.started = number, time.monotonic()
        self.deadline = self.started + float(timeout) if timeout else None
        self.timed_out, self.fault, self.oom = False, "", out_of_memory_kills()
        self.stdin, self.stdin_data, self.stdin_done = -1, deque(), False
        self.pid = 0
        argv, env = rest[: int(argc)], dict(item.split(b"=", 1) for item in rest[int(argc) :])
        pipes: list[int] = []
        try:
            for _ in range(3):
                pipes += posix.pipe2(posix.O_CLOEXEC)
            self.pid = posix.fork()
        except OSError as error:
            for fd in pipes:
                posix.close(fd)
            send(b"e", number, b"sandbox: cannot start a process: " + str(error.strerror).encode())
            fault = "processes" if error.errno == 11 else ""
            send(b"x", number, pack(126, 0, 0, 0, fault, 0))
            return
        in_read, in_write, out_read, out_write, err_read, err_write = pipes
        if self.pid == 0:
            become(in_read, out_write, err_write, cwd, argv, env)
        for fd in (in_read, out_write, err_write):
            posix.close(fd)
        self.stdin = in_write
        for fd in (in_write, out_read, err_read):
            posix.set_blocking(fd, False)
        self.out = Stream(out_read, b"o", self, int(limit))
        self.err = Stream(err_read, b"e", self, int(limit))
        for stream in (self.out, self.err):
            watch(stream.fd, select.POLLIN, stream.read)
        execs[number] = children[self.pid] = self

    def feed(self, data):
        """Host data for the command's stdin; empty data ends it."""
        if self.stdin < 0:
            return
        if data:
            self.stdin_data.append(data)
        else:
            self.stdin_done = True
        self.write_stdin(0)

    def write_stdin(self, _event):
        while self.stdin_data:
            data = self.stdin_data.popleft()
            try:
                sent = posix.write(self.stdin, data)
            except BlockingIOError:
                sent = 0
            except OSError:
                self.close_stdin()
                return
            if sent < len(data):
                self.stdin_data.appendleft(data[sent:])
                watch(self.stdin, select.POLLOUT, self.write_stdin)
                return
        if self.stdin_done:
            self.close_stdin()
        else:
            ignore(self.stdin)

    def close_stdin(self):
        if self.stdin >= 0:
            forget(self.stdin)
            self.stdin = -1
            self.stdin_data.clear()

    def kill(self):
        """Kills the whole session: job control may have spread it over several groups."""
        send_kill(-self.pid)
        for _ in range(10):
            members = [pid for pid in processes() if session_of(pid) == self.pid]
            if sum(map(send_kill, members)) == 0:
                return

    def finish(self, status):
        self.close_stdin()
        self.out.read()
        self.err.read()
        cuts = (self.out.cut, self.err.cut)
        for stream in (self.out, self.err):
            stream.abandon()
        code = posix.waitstatus_to_exitcode(status)
        if code < 0:
            code = 128 - code
        if code and not self.timed_out and not self.fault:
            self.fault = diagnose(code, self.oom)
        del execs[self.number]
        elapsed = int((time.monotonic() - self.started) * 1e6)
        shown = b"" if self.timed_out else code
        timed_out = int(self.timed_out)
        send(b"x", self.number, pack(shown, timed_out, *cuts, self.fault, elapsed))


def become(stdin, stdout, stderr, cwd, argv, env):
    """Runs in the forked child and never returns."""
    code = 126
    try:
        posix.setsid()
        _signal.set_wakeup_fd(-1)
        for number in (_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGCHLD):
            _signal.signal(number, _signal.SIG_DFL)
        for source, target in ((stdin, 0), (stdout, 1), (stderr, 2)):
            posix.dup2(source, target)
            posix.set_blocking(target, True)
        limit_resources()
        try:
            posix.chdir(cwd)
        except OSError as error:
            posix.write(2, b"sandbox: " + cwd + b": " + str(error.strerror).encode() + b"\n")
            posix._exit(126)
        name, problem, code = argv[0], b"command not found", 127
        places = [b""] if b"/" in name else [p + b"/" for p in env[b"PATH"].split(b":")]
        for place in places:
            try:
                posix.execve(place + name, argv, env)
            except (FileNotFoundError, NotADirectoryError):
                if b"/" in name:
                    problem = b"No such file or directory"
            except OSError as error:
                code, problem = 126, str(error.strerror).encode()
        posix.write(2, name + b": " + problem + b"\n")
    except BaseException as error:
        posix.write(2, b"sandbox: " + repr(error).encode() + b"\n")
    posix._exit(code)


def limit_resources():
    """Only commands are limited: a supervisor at its limits could not report or clean up."""
    for name in ("NPROC", "NOFILE", "FSIZE", "DATA", "CORE"):
        value = settings.get(name.lower())
        if value:
            number = int(value)
            _, hard = resource.getrlimit(getattr(resource, "RLIMIT_" + name))
            if hard != resource.RLIM_INFINITY:
                number = min(number, hard)
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (number, number))
    # Where the kernel must choose a victim, never the supervisor. What is not dumpable may not
    # write to its own /proc; this process holds nothing of the supervisor's any more.
    prctl = system_functions()[0]
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    try:
        fd = posix.open("/proc/self/oom_score_adj", posix.O_WRONLY)
        posix.write(fd, b"500")
        posix.close(fd)
    except OSError:
        pass
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


# What happened to a command


def processes():
    return [int(name) for name in posix.listdir("/proc") if name.isdigit() and name != "1"]


def send_kill(pid):
    try:
        posix.kill(pid, _signal.SIGKILL)
    except OSError:
        return False
    return True


def read_small(path):
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return posix.read(fd, 8192)
    except OSError:
        return b""
    finally:
        posix.close(fd)


def session_of(pid):
    fields = read_small(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return int(fields[3]) if len(fields) > 3 else -1


def out_of_memory_kills():
    for path in counters:
        for line in read_small(path).splitlines():
            if line.startswith(b"oom_kill "):
                return int(line.split()[1])
    return state["oom"]


def diagnose(code, kills_before):
    """What the sandbox did to a command that failed."""
    if out_of_memory_kills() > kills_before:
        return "memory"
    if code == 128 + _signal.SIGXFSZ:
        return "disk"
    limit = int(settings.get("processes") or 0)
    if limit and len(processes()) >= limit - 2:
        return "processes"
    for path in (settings["workspace"], settings["home"], "/tmp"):
        try:
            room = posix.statvfs(path)
        except OSError:
            continue
        if room.f_bavail * room.f_frsize < 4 * CHUNK or (room.f_files and not room.f_ffree):
            return "disk"
    return ""


def check_memory():
    """The sum over all processes, by proportional share once the cheap sum is over the limit."""
    limit = int(settings.get("memory") or 0)
    if not limit:
        return
    sizes = {}
    for pid in processes():
        fields = read_small(f"/proc/{pid}/statm").split()
        sizes[pid] = int(fields[1]) * 4096 if len(fields) > 1 else 0
    if sum(sizes.values()) <= limit:
        return
    for pid in sizes:
        for line in read_small(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                sizes[pid] = int(line.split()[1]) * 1024
    if sum(sizes.values()) <= limit:
        return
    victim = max(sizes, key=lambda pid: sizes[pid])
    owner = children.get(session_of(victim))
    state["oom"] += 1
    if owner is not None:
        owner.fault = "memory"
    send_kill(victim)


# Files


def absolute(path):
    return path if path.startswith(b"/") else settings["workspace"].encode() + b"/" + path


def is_regular(status):
    return status.st_mode & 0o170000 == 0o100000


class Upload:
    """Files of one `write`; the first refusal is kept and the rest is swallowed."""

    def __init__(self):
        self.fd, self.path, self.error = None, b"", None

    def begin(self, payload):
        self.close()
        path, mode = unpack(payload)
        self.path = path
        if self.error is not None:
            return
        try:
            target = absolute(path)
            make_parents(target)
            # Not blocking: the agent may have put a FIFO there.
            flags = posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NONBLOCK
            self.fd = posix.open(target, flags, 0o644)
            status = posix.fstat(self.fd)
            if not is_regular(status) or status.st_dev == posix.stat("/proc").st_dev:
                raise OSError(22, "not a regular file")
            posix.ftruncate(self.fd, 0)
            if mode:
                posix.fchmod(self.fd, int(mode) & 0o777)
        except OSError as error:
            self.fail(error)

    def data(self, payload):
        view = memoryview(payload)
        while view and self.fd is not None and self.error is None:
            try:
                view = view[posix.write(self.fd, view) :]
            except OSError as error:
                self.fail(error)

    def fail(self, error):
        self.error = pack(error.errno or 5, self.path, error.strerror or "failed")
        self.close()

    def close(self):
        if self.fd is not None:
            posix.close(self.fd)
            self.fd = None


def make_parents(path):
    parts = path.split(b"/")
    for count in range(2, len(parts)):
        try:
            posix.mkdir(b"/".join(parts[:count]), 0o755)
        except FileExistsError:
            pass


def get(number, payload):
    path, limit = unpack(payload)
    room = int(limit)
    try:
        fd = posix.open(absolute(path), posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            status = posix.fstat(fd)
            if status.st_mode & 0o170000 == 0o040000:
                raise OSError(21, "Is a directory")
            if not is_regular(status):
                raise OSError(22, "not a regular file")
            if status.st_size > room:
                raise OSError(27, "File too large")
            while data := posix.read(fd, CHUNK):
                room -= len(data)
                if room < 0:
                    raise OSError(27, "File too large")
                send(b"d", number, data)
                yield
        finally:
            posix.close(fd)
    except OSError as error:
        send(b".", number, pack(error.errno or 5, path, error.strerror or "failed"))
    else:
        send(b".", number)


KINDS = {
    0o120000: "symbolic link",
    0o010000: "FIFO",
    0o140000: "socket",
    0o020000: "character device",
    0o060000: "block device",
}


def snapshot(number, payload):
    root, files, file_size, total_size, path_length, depth = unpack(payload)
    left = {"files": int(files), "bytes": int(total_size), "directories": int(files)}
    left["refused"] = int(files)
    file_size, path_length, depth = int(file_size), int(path_length), int(depth)
    flags = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    cut = ""

    def refuse(path, reason):
        left["refused"] -= 1
        send(b"r", number, pack(path[: 4 * path_length], reason))

    def export(folder, name, path):
        """Sends one regular file; returns why the whole export must end, or nothing."""
        if left["files"] <= 0:
            return "too many files"
        try:
            fd = posix.open(name, flags, dir_fd=folder)
        except OSError as error:
            refuse(path, error.strerror)
            return ""
        try:
            status = posix.fstat(fd)
            if not is_regular(status):
                refuse(path, "changed during export")
                return ""
            if status.st_size > file_size:
                refuse(path, "file too large")
                return ""
            if status.st_size > left["bytes"]:
                return "too many bytes"
            left["files"] -= 1
            send(b"f", number, path)
            room = status.st_size
            while room and (data := posix.read(fd, min(CHUNK, room))):
                room -= len(data)
                left["bytes"] -= len(data)
                send(b"d", number, data)
                yield
            send(b"c", number)
        except OSError as error:
            send(b"c", number, (error.strerror or "failed").encode())
        finally:
            posix.close(fd)
        return ""

    def walk(folder, prefix, level):
        """Takes over `folder`, an open directory; returns why the export must end, or nothing."""
        try:
            with posix.scandir(folder) as entries:
                for entry in entries:
                    name = encode(entry.name)
                    path = prefix + name
                    yield
                    if left["refused"] <= 0:
                        return "too many refused entries"
                    if len(path) > path_length:
                        refuse(path, "path too long")
                        continue
                    try:
                        status = posix.stat(name, dir_fd=folder, follow_symlinks=False)
                    except OSError as error:
                        refuse(path, error.strerror)
                        continue
                    kind = status.st_mode & 0o170000
                    if kind == 0o040000:
                        if left["directories"] <= 0:
                            return "too many directories"
                        left["directories"] -= 1
                        send(b"n", number, path)
                        if level >= depth:
                            refuse(path, "nested too deeply")
                            continue
                        try:
                            inner = posix.open(name, flags | posix.O_DIRECTORY, dir_fd=folder)
                        except OSError as error:
                            refuse(path, error.strerror)
                            continue
                        why = yield from walk(inner, path + b"/", level + 1)
                    elif kind == 0o100000:
                        why = yield from export(folder, name, path)
                    else:
                        refuse(path, KINDS.get(kind, "not a regular file"))
                        why = ""
                    if why:
                        return why
        except OSError as error:
            refuse(prefix.rstrip(b"/") or b".", error.strerror or "failed")
        finally:
            posix.close(folder)
        return ""

    try:
        top = posix.open(root, flags | posix.O_DIRECTORY)
    except OSError as error:
        send(b".", number, pack(error.errno or 5, root, error.strerror or "failed"))
        return
    cut = yield from walk(top, b"", 1)
    send(b".", number, pack(0, b"", cut))


def encode(name):
    return name.encode(sys.getfilesystemencoding(), "surrogateescape")


# The loop


def watch(fd, events, handler):
    handlers[fd] = handler
    poller.register(fd, events)


def ignore(fd):
    if handlers.pop(fd, None) is not None:
        poller.unregister(fd)


def forget(fd):
    ignore(fd)
    posix.close(fd)


def reap():
    """Collects everything that ended; returns whether any process is left."""
    while True:
        try:
            pid, status = posix.waitpid(-1, posix.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True
        ended = children.pop(pid, None)
        if ended is not None:
            ended.finish(status)


def stop(number):
    """Ends every other process. One signal reaches them all at once, so forking cannot escape."""
    patience = 200
    while patience:
        send_kill(-1)
        if not reap():
            break
        patience -= 1
        time.sleep(0.001 if patience > 150 else 0.02)
    error = pack(0) if patience else pack(16, b"", "processes cannot be killed")
    send(b".", number, error)


def dispatch(kind, number, payload):
    if kind == b"E":
        Exec(number, payload)
    elif kind == b"I":
        if number in execs:
            execs[number].feed(payload)
    elif kind == b"K":
        if number in execs:
            execs[number].kill()
    elif kind == b"P":
        uploads.setdefault(number, Upload()).begin(payload)
    elif kind == b"D":
        uploads[number].data(payload)
    elif kind == b"F":
        upload = uploads.pop(number, None) or Upload()
        upload.close()
        send(b".", number, upload.error or b"")
    elif kind == b"G":
        producers.append(get(number, payload))
    elif kind == b"S":
        producers.append(snapshot(number, payload))
    elif kind == b"X":
        stop(number)


incoming = bytearray()


def receive(_event):
    for _ in range(64):
        try:
            data = posix.read(0, CHUNK)
        except BlockingIOError:
            break
        if not data:  # the host is gone
            posix._exit(0)
        incoming.extend(data)
        if len(data) < CHUNK:
            break
    at = 0
    while len(incoming) - at >= 9:
        size = int.from_bytes(incoming[at + 5 : at + 9], "big")
        if len(incoming) - at - 9 < size:
            break
        number = int.from_bytes(incoming[at + 1 : at + 5], "big")
        kind, payload = bytes(incoming[at : at + 1]), bytes(incoming[at + 9 : at + 9 + size])
        at += 9 + size
        try:
            dispatch(kind, number, payload)
        except Exception as error:  # the call must end, or the host would wait for it
            complain(error)
            if kind == b"E":
                send(b"x", number, pack(126, 0, 0, 0, "", 0))
            elif kind in b"FGSX":
                send(b".", number, pack(5))
    del incoming[:at]


def complain(error):
    posix.write(2, b"supervisor: " + repr(error).encode() + b"\n")


def drain_wakeups(_event):
    try:
        posix.read(wake_read, 4096)
    except BlockingIOError:
        pass


def system_functions():
    """`prctl` and `capset` without importing ctypes, which doubles the time to start."""
    if functions:
        return functions
    import _ctypes

    class Function(_ctypes.CFuncPtr):
        _flags_ = 1  # C calling convention; arguments and result are ints
        _restype_ = None

    libc = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
    for name in ("prctl", "capset"):
        functions.append(Function(_ctypes.dlsym(libc, name)))
    return functions


def drop_privileges():
    """Gives up root where the sandbox was started by it, and closes /proc/1 to everybody."""
    prctl, capset = system_functions()
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if settings.get("uid"):
        uid = int(settings["uid"])
        for path in (settings["workspace"], settings["home"]):
            posix.chown(path, uid, uid)
        for capability in range(41):
            prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        posix.setgroups([])
        posix.setresgid(uid, uid, uid)
        posix.setresuid(uid, uid, uid)
        # Version 3 of the interface, this process, two halves of three empty sets.
        capset((0x2008_0522).to_bytes(4, sys.byteorder) + bytes(4), bytes(24))
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def install_filter():
    """Adds our own system call filter to the daemon's, where no bwrap has done it.

    Among other things it keeps commands from setting limits of this process, whose user they share.
    """
    code = settings.get("seccomp_" + posix.uname().machine)
    if not code:
        return
    import ctypes  # slow to import, which does not count beside starting a container

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    content = bytes.fromhex(code)
    program = Program(len(content) // 8, content)
    libc = ctypes.CDLL(None)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError("the system call filter is refused")


def status_facts():
    wanted = (b"Uid", b"CapInh", b"CapEff", b"CapBnd", b"NoNewPrivs", b"Seccomp")
    lines = read_small("/proc/self/status").splitlines()
    pairs = (line.partition(b":") for line in lines)
    return [name + b"=" + value.strip() for name, _, value in pairs if name in wanted]


def main():
    for item in sys.argv[1:]:
        name, _, settings[name] = item.partition("=")
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        if read_small(path):
            counters.append(path)
    for number in (_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_IGN)
    posix.umask(0o022)
    drop_privileges()
    install_filter()
    _signal.signal(_signal.SIGCHLD, lambda number, frame: None)
    _signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    for fd in (0, 1):
        posix.set_blocking(fd, False)
    watch(0, select.POLLIN, receive)
    watch(1, 0, flush)
    watch(wake_read, select.POLLIN, drain_wakeups)
    version = "{}.{}.{}".format(*sys.version_info[:3])
    send(b"R", 0, pack("python=" + version, *status_facts()))
    next_tick, alive = 0.0, False
    while True:
        was_alive, alive = alive, reap()
        now = time.monotonic()
        if not was_alive:  # nothing has grown yet
            next_tick = now + TICK
        wait = TICK if alive else None
        for running in list(execs.values()):
            if running.deadline is not None:
                if now >= running.deadline:
                    running.timed_out, running.deadline = True, None
                    running.kill()
                else:
                    wait = min(wait or TICK, running.deadline - now)
        if alive and now >= next_tick:
            check_memory()
            next_tick = now + TICK
        if (outgoing or producers) and not state["blocked"]:
            try:
                flush()
            except Exception as error:  # a host that is gone is seen by the poll below
                complain(error)
        for fd, event in poller.poll(None if wait is None else int(wait * 1000) + 1):
            handler = handlers.get(fd)
            if handler is None:
                continue
            if fd in (0, 1) and event & (select.POLLERR | select.POLLNVAL):
                posix._exit(0)
            try:
                handler(event)
            except Exception as error:  # a broken call must not end the sandbox
                complain(error)


if __name__ == "__main__":
    wake_read, wake_write = posix.pipe2(posix.O_CLOEXEC | posix.O_NONBLOCK)
    main()
