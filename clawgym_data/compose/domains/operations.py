"""Running services: incidents, alerts, rollouts, changes."""

from clawgym_data.compose.domains.servers import hosts
from clawgym_data.compose.domains.sheets import (
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    given,
    ident,
    moment,
    ref,
    register,
    staff,
    when,
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
