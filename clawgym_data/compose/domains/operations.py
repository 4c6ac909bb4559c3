"""Systems operations: servers, backups, incidents, rollouts, accounts, devices."""

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
    place,
    ref,
    register,
    staff,
    when,
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

register(
    "incidents",
    ("incident-response", "server-administration"),
    Sheet(
        "incident",
        "incidents",
        (18, 44),
        (
            ident("incident_id", "incident number", "INC-{}|I{}|{y}-INC{}", (100, 4000), 5),
            moment("began_at", "beginning", 120, 1, (0, 23)),
            ref("service_code", "service code", "of the service with the code {}"),
            enum(
                "severity",
                "severity",
                {
                    "sev1": "of severity sev1",
                    "sev2": "of severity sev2",
                    "sev3": "of severity sev3",
                },
                (1.8, 4, 5),
            ),
            count("minutes_down", "downtime", (2, 640), "min", unique=True),
            count("customers_hit", "number of customers hit", (0, 5200), unique=True),
            enum(
                "cause",
                "cause",
                {
                    "change": "caused by a change",
                    "hardware": "caused by hardware",
                    "load": "caused by load",
                    "provider": "caused by a provider",
                },
                (5, 2, 3, 2),
            ),
            staff("lead", "incident lead", 5, "led by {}"),
        ),
    ),
    Sheet(
        "service",
        "services",
        (4, 7),
        (
            code("service_code", "service code"),
            given("service", "name", "service name", 1),
            given("tier", "category", "tier", 2, "of the tier {}"),
            amount("hourly_loss", "loss per hour", (40, 4200)),
        ),
        (
            ("SV1", "booking", "gold"),
            ("SV2", "payment", "gold"),
            ("SV3", "search", "silver"),
            ("SV4", "reports", "bronze"),
            ("SV5", "mail", "silver"),
            ("SV6", "maps", "silver"),
            ("SV7", "archive", "bronze"),
        ),
    ),
)

register(
    "alerts",
    ("incident-response", "deployment-automation"),
    Sheet(
        "alert",
        "alerts",
        (26, 60),
        (
            ident("alert_id", "alert number", "AL{}|a-{}", (3000, 9000), 7),
            moment("fired_at", "time of the alert", 6, 1, (0, 23)),
            ref("host", "host name", "from the host {}"),
            enum(
                "check",
                "check",
                ("disk space", "response time", "certificate", "memory", "queue length"),
                said="of the check {}",
            ),
            enum(
                "level",
                "level",
                {"warning": "of the level warning", "critical": "of the level critical"},
                (6, 3),
            ),
            amount("value", "measured value", (1, 99), "%", 1),
            count("minutes_to_reaction", "time to reaction", (1, 190), "min"),
            enum(
                "handled",
                "handling",
                {
                    "by hand": "that were handled by hand",
                    "automatic": "that were handled automatically",
                    "ignored": "that were ignored",
                },
                (4, 4, 2),
            ),
        ),
    ),
    hosts(),
)

register(
    "deployments",
    ("deployment-automation", "release-management"),
    Sheet(
        "deployment",
        "deployments",
        (20, 52),
        (
            ident("deployment_id", "deployment number", "DEP-{}|d{}|RO-{}", (200, 4000), 2),
            moment("started_at", "start", 30, 1, (6, 22)),
            ref("service_code", "service code", "of the service with the code {}"),
            enum(
                "environment",
                "environment",
                {
                    "test": "to the test environment",
                    "staging": "to staging",
                    "production": "to production",
                },
                (4, 4, 5),
            ),
            amount("minutes", "duration", (0.6, 54), "min", 2),
            count("machines", "number of machines", (1, 24)),
            enum(
                "result",
                "result",
                {
                    "succeeded": "that succeeded",
                    "rolled back": "that were rolled back",
                    "failed": "that failed",
                },
                (8, 2, 1.5),
            ),
            staff("started_by", "person who started it", 5, "started by {}"),
        ),
    ),
    Sheet(
        "service",
        "services",
        (4, 7),
        (
            code("service_code", "service code"),
            given("service", "name", "service name", 1),
            given("language", "category", "programming language", 2, "written in {}"),
            enum("team", "team", ("sand", "granite", "slate"), said="of the team {}"),
        ),
        (
            ("ord", "orders", "Go"),
            ("pay", "payments", "Java"),
            ("geo", "geocoder", "Rust"),
            ("ntf", "notifications", "Python"),
            ("img", "thumbnails", "Go"),
            ("rep", "reports", "Python"),
            ("usr", "users", "Java"),
        ),
    ),
)

register(
    "change-requests",
    ("deployment-automation",),
    Sheet(
        "change request",
        "change requests",
        (16, 38),
        (
            ident("request_no", "request number", "CHG{}|CR-{}", (100, 900), 4),
            day("filed_on", "date of filing", 70, 2),
            when("planned_for", "planned date", lambda d: d.after("filed_on", 2, 45, None)),
            ref("host", "host name", "for the host {}"),
            enum(
                "kind",
                "kind of change",
                ("firewall rule", "certificate", "disk", "settings", "new service"),
                said="of the kind {}",
            ),
            enum(
                "risk",
                "risk",
                {"low": "of low risk", "medium": "of medium risk", "high": "of high risk"},
                (5, 4, 1.8),
            ),
            amount("hours", "planned effort", (0.25, 17), "h", 2),
            enum(
                "decision",
                "decision",
                {
                    "approved": "that are approved",
                    "refused": "that were refused",
                    "pending": "that are still pending",
                },
                (6, 1.6, 3),
            ),
        ),
    ),
    hosts(),
)

register(
    "user-accounts",
    ("access-devices", "server-administration", "data-quality"),
    Sheet(
        "account",
        "accounts",
        (20, 34),
        (
            ident("account_id", "account number", "U{}|ACC-{}", (1000, 9000), 19),
            who("person", "name"),
            enum(
                "department",
                "department",
                ("teaching", "office", "library", "kitchen", "workshop"),
                said="in the department {}",
            ),
            ref("role_code", "role code", "with the role code {}"),
            when("last_login", "date of the last login", lambda d: d.world.day(0, 400)),
            count("logins", "number of logins", (1, 900), unique=True),
            amount("mailbox", "mailbox size", (0.02, 46), "GB", 2),
            enum(
                "state",
                "state",
                {
                    "active": "that are active",
                    "locked": "that are locked",
                    "expired": "that are expired",
                },
                (7, 2, 2),
            ),
        ),
    ),
    Sheet(
        "role",
        "roles",
        (4, 5),
        (
            code("role_code", "role code"),
            given("role_name", "name", "role name", 1),
            count("quota", "mailbox quota", lambda d: d.entry[2], "GB"),
            enum(
                "second_factor",
                "second factor",
                ("app", "token", "not needed"),
                said="with the second factor {}",
            ),
        ),
        (
            ("RL1", "guest", 1),
            ("RL2", "standard user", 10),
            ("RL3", "editor", 25),
            ("RL4", "manager", 50),
            ("RL5", "administrator", 100),
        ),
    ),
)

register(
    "device-inventory",
    ("access-devices", "facilities-purchasing"),
    Sheet(
        "device",
        "devices",
        (20, 50),
        (
            ident("asset_no", "asset number", "A{}|IT-{}|PC{}", (1000, 8000), 11),
            ref("model_code", "model code", "of the model with the code {}"),
            place("office", "office", 5, "at the office in {}"),
            staff("user", "user", 9, "used by {}"),
            day("bought_on", "date of purchase", 2300, 20),
            amount("price", "price", lambda d: d.near(d["new_price"], 0.09)),
            count("battery_health", "battery health", lambda d: d.whole(41, 100), "%"),
            enum(
                "state",
                "state",
                {
                    "in use": "that are in use",
                    "in store": "that are in the store",
                    "broken": "that are broken",
                    "lent": "that are lent out",
                },
                (7, 2, 1.5, 1.5),
            ),
        ),
    ),
    Sheet(
        "model",
        "models",
        (4, 7),
        (
            code("model_code", "model code"),
            given("kind", "category", "kind of device", 1, "of the kind {}"),
            amount("new_price", "list price", lambda d: d.money(d.near(d.entry[2], 0.1))),
            count("warranty_months", "warranty", lambda d: d.pick(12, 24, 36, 48), "months"),
        ),
        (
            ("M-13", "laptop", 1090),
            ("M-15", "laptop", 1380),
            ("M-20", "tablet", 520),
            ("M-27", "screen", 310),
            ("M-31", "phone", 440),
            ("M-40", "projector", 790),
            ("M-52", "label printer", 160),
        ),
    ),
)

register(
    "software-licences",
    ("access-devices", "budget-control"),
    Sheet(
        "licence",
        "licences",
        (14, 32),
        (
            ident("licence_no", "licence number", "LIC{}|L-{}", (10, 500), 3),
            enum(
                "product",
                "product",
                (
                    "drawing suite",
                    "mail archive",
                    "wiki",
                    "time tracker",
                    "photo tools",
                    "backup client",
                ),
                said="for the {}",
            ),
            ref("owner_code", "owner code", "of the owner with the code {}"),
            count("seats", "number of seats", (2, 140), unique=True),
            count("seats_used", "seats in use", lambda d: d.whole(1, d["seats"])),
            amount("yearly_cost", "yearly cost", lambda d: d.money(d.near(d["seats"] * 41, 0.35))),
            when("renews_on", "renewal date", lambda d: d.world.day(-330, -6)),
            flag(
                "auto_renew",
                "automatic renewal",
                0.5,
                "that renew automatically",
                "that do not renew automatically",
            ),
        ),
    ),
    Sheet(
        "owner",
        "owners",
        (3, 5),
        (
            code("owner_code", "owner code"),
            given("department", "name", "department", 1),
            who("head", "head of department", 25),
            amount("budget", "software budget", (1800, 26000)),
        ),
        (
            ("OW1", "design"),
            ("OW2", "sales"),
            ("OW3", "workshop"),
            ("OW4", "office"),
            ("OW5", "school"),
        ),
    ),
)
