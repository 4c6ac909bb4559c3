"""Servers and their copies: inventory, updates, volumes, backups, restore tests."""

from clawgym_data.compose.domains.sheets import (
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    flag,
    given,
    ident,
    moment,
    ref,
    register,
    staff,
    who,
)

SITES = (
    ("DC1", "cellar", "main house"),
    ("DC2", "north rack room", "annexe"),
    ("DC3", "tower", "main house"),
    ("DC4", "container", "yard"),
    ("DC5", "branch office", "town"),
)


def sites() -> Sheet:
    """Where machines stand."""
    return Sheet(
        "site",
        "sites",
        (3, 5),
        (
            code("site_code", "site code"),
            given("site", "name", "site name", 1),
            given("building", "category", "building", 2, "in the building {}"),
            amount("power_limit", "power limit", (4, 60), "kW", 1),
            who("keyholder", "keyholder", 23),
        ),
        SITES,
    )


def hosts(rows: tuple[int, int] = (6, 10)) -> Sheet:
    """The machines that others of these tables speak of."""
    return Sheet(
        "host",
        "hosts",
        rows,
        (
            ident("host", "host name", "srv{:02}|node-{:02}|host{:02}", (1, 40), 3),
            enum(
                "role",
                "role",
                ("web", "database", "mail", "files", "monitoring"),
                said="with the role {}",
            ),
            enum(
                "system",
                "operating system",
                ("Debian 12", "Debian 13", "Ubuntu 24.04", "Rocky 9"),
                said="running {}",
            ),
            staff("admin", "administrator", 4, "looked after by {}"),
        ),
    )


register(
    "servers",
    ("server-administration", "access-devices"),
    Sheet(
        "server",
        "servers",
        (18, 44),
        (
            ident("server", "server name", "srv{:03}|node-{:03}|vm{:03}", (1, 200), 4),
            ref("site_code", "site code", "at site {}"),
            enum(
                "role",
                "role",
                ("web", "database", "mail", "files", "build", "monitoring"),
                said="with the role {}",
            ),
            count("cores", "number of cores", lambda d: d.pick(2, 4, 8, 16, 32, 64)),
            amount("memory_used", "memory in use", (1, 240), "GB", 1),
            amount("load", "load", (0.02, 9), "", 2),
            day("installed_on", "date of installation", 2400, 30),
            enum(
                "state",
                "state",
                {
                    "running": "that are running",
                    "stopped": "that are stopped",
                    "maintenance": "that are in maintenance",
                },
                (8, 1.8, 1.8),
            ),
        ),
    ),
    sites(),
)


register(
    "patch-status",
    ("server-administration", "deployment-automation"),
    Sheet(
        "update",
        "updates",
        (20, 48),
        (
            ident("update_no", "update number", "U{}|UPD-{}", (100, 900), 3),
            ref("host", "host name", "on the host {}"),
            enum(
                "component",
                "component",
                ("kernel", "web server", "database", "mail server", "library"),
                said="of the component {}",
            ),
            day("released_on", "date of release", 110, 3),
            count(
                "days_waiting",
                "waiting time",
                lambda d: d.age("released_on") - min(d.whole(0, 3), d.age("released_on")),
                "days",
            ),
            amount("download", "download size", (0.3, 210), "MB", 1),
            enum(
                "urgency",
                "urgency",
                {
                    "low": "of low urgency",
                    "medium": "of medium urgency",
                    "critical": "of critical urgency",
                },
                (4, 4, 2),
            ),
            flag(
                "needs_restart",
                "restart needed",
                0.35,
                "that need a restart",
                "that need no restart",
            ),
        ),
    ),
    hosts(),
)


register(
    "disk-usage",
    ("server-administration", "backup-storage"),
    Sheet(
        "volume",
        "volumes",
        (18, 42),
        (
            ident("volume_no", "volume number", "VOL{}|v{}", (10, 300), 3),
            ref("host", "host name", "on the host {}"),
            enum(
                "purpose",
                "purpose",
                ("home folders", "databases", "logs", "media", "scratch"),
                said="for {}",
            ),
            count("capacity", "capacity", lambda d: d.pick(100, 250, 500, 1000, 2000, 4000), "GB"),
            amount(
                "used", "space used", lambda d: d.between(8, 97, 2) * d["capacity"] / 100, "GB", 1
            ),
            amount("growth", "growth per month", (0.1, 48), "GB", 2),
            enum(
                "medium",
                "medium",
                {"SSD": "on SSDs", "disk": "on hard disks|on the medium disk", "tape": "on tapes"},
                (5, 4, 1.6),
            ),
            flag("encrypted", "encrypted", 0.65, "that are encrypted", "that are not encrypted"),
        ),
    ),
    hosts(),
)


register(
    "backup-jobs",
    ("backup-storage", "server-administration"),
    Sheet(
        "backup",
        "backups",
        (24, 58),
        (
            ident("backup_id", "backup number", "BK{}|B-{}", (2000, 9000), 2),
            moment("began_at", "start", 16, 1, (0, 6)),
            ref("host", "host name", "of the host {}"),
            enum(
                "kind",
                "kind of backup",
                {
                    "full": "that are full backups",
                    "incremental": "that are incremental",
                    "snapshot": "that are snapshots",
                },
                (2, 6, 2),
            ),
            amount("size", "size", (0.4, 720), "GB", 2),
            amount(
                "minutes",
                "running time",
                lambda d: d.near(float(d["size"]) * 0.31 + 2, 0.2, 1),
                "min",
                1,
            ),
            enum(
                "result",
                "result",
                {
                    "ok": "that went well|with the result ok",
                    "warning": "that ended with a warning",
                    "failed": "that failed",
                },
                (8, 2, 1.5),
            ),
            count(
                "files_skipped",
                "number of skipped files",
                lambda d: d.pick(0, 0, 0, 1, 2, 4, 7, 15, 40),
            ),
        ),
    ),
    hosts(),
)


register(
    "restore-tests",
    ("backup-storage", "incident-response"),
    Sheet(
        "restore test",
        "restore tests",
        (14, 34),
        (
            ident("test_no", "test number", "RT{}|W-{}", (10, 300), 1),
            day("tested_on", "date of the test", 400, 5),
            ref("tape_no", "tape number", "from tape {}"),
            enum(
                "content",
                "content",
                ("mail", "wiki", "database", "home folders", "pictures"),
                said="with the content {}",
            ),
            amount("restored", "restored volume", (0.2, 380), "GB", 2),
            count("minutes", "time taken", (6, 540), "min", unique=True),
            enum(
                "verdict",
                "verdict",
                {
                    "complete": "that were complete",
                    "partial": "that were partial",
                    "unreadable": "that were unreadable",
                },
                (7, 2, 1.5),
            ),
            staff("tester", "tester", 4, "done by {}"),
        ),
    ),
    Sheet(
        "tape",
        "tapes",
        (6, 9),
        (
            ident("tape_no", "tape number", "TP{}|LT{}", (100, 900), 13),
            day("written_on", "date of writing", 900, 30),
            enum("stored_in", "store", ("safe", "bank vault", "cellar"), said="kept in the {}"),
            count("uses", "number of uses", (1, 90), unique=True),
        ),
    ),
)
