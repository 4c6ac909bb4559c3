"""A deny-list filter for system calls that no task needs and that escapes are made of.

The kernel's own checks (no capabilities, no new privileges, namespaces) already refuse most of
these; the filter takes away the code behind them. `memfd_create` and `shmget` are refused because
their memory belongs to no process and so escapes the limits where there is no cgroup.
"""

import struct
from functools import cache

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERRNO = 0x7FFF_0000, 0x0005_0000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
NEW_NAMESPACES = 0x7E02_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
SOCKET_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6: the network namespace holds nothing but a loopback."""
TERMINAL_INJECTION = (0x5412, 0x541C)
"""TIOCSTI, TIOCLINUX."""

AUDIT_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
X32_BIT = 0x4000_0000

# name: (number on x86_64, number on aarch64); None where the architecture lacks it.
DENIED: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "mbind": (237, 235),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "set_mempolicy": (238, 237),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "sysfs": (139, None),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "ustat": (136, None),
    "vhangup": (153, 58),
}
# Looked at by their arguments.
CLONE, CLONE3, IOCTL, PRLIMIT, SOCKET = (56, 220), (435, 435), (16, 29), (302, 261), (41, 198)


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def refuse(error: int) -> bytes:
    return instruction(RETURN, ERRNO | error)


def on_call(number: int, argument: int, body: bytes) -> bytes:
    """Runs `body` with the low half of an argument loaded, when the call is `number`."""
    load = instruction(LOAD, ARGUMENTS_AT + 8 * argument)
    skip = len(load + body) // 8
    return instruction(LOAD, NUMBER_AT) + instruction(JUMP_EQUAL, number, 0, skip) + load + body


@cache
def seccomp_filter(machine: str) -> bytes:
    """The compiled filter; raises `KeyError` on another architecture."""
    column = list(AUDIT_ARCHITECTURES).index(machine) if machine in AUDIT_ARCHITECTURES else -1
    program = [
        instruction(LOAD, ARCHITECTURE_AT),
        instruction(JUMP_EQUAL, AUDIT_ARCHITECTURES[machine], 1, 0),
        refuse(ENOSYS),  # 32-bit calls have other numbers
        instruction(LOAD, NUMBER_AT),
    ]
    if machine == "x86_64":
        program += [instruction(JUMP_AT_LEAST, X32_BIT, 0, 1), refuse(ENOSYS)]
    for numbers in DENIED.values():
        number = numbers[column]
        if number is not None:
            program += [instruction(JUMP_EQUAL, number, 0, 1), refuse(EPERM)]
    # glibc falls back to clone, whose flags can be looked at.
    program += [instruction(JUMP_EQUAL, CLONE3[column], 0, 1), refuse(ENOSYS)]
    program += [
        on_call(CLONE[column], 0, instruction(JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1) + refuse(EPERM)),
        on_call(
            # Another process's limits are none of its business: the supervisor has the same user.
            PRLIMIT[column],
            0,
            instruction(JUMP_EQUAL, 0, 1, 0) + refuse(EPERM),
        ),
        on_call(
            IOCTL[column],
            1,
            b"".join(
                instruction(JUMP_EQUAL, request, 0, 1) + refuse(EPERM)
                for request in TERMINAL_INJECTION
            ),
        ),
        on_call(
            SOCKET[column],
            0,
            b"".join(
                instruction(JUMP_EQUAL, family, len(SOCKET_FAMILIES) - at, 0)
                for at, family in enumerate(SOCKET_FAMILIES)
            )
            + refuse(EAFNOSUPPORT),
        ),
        instruction(RETURN, ALLOW),
    ]
    return b"".join(program)
