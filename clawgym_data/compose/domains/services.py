"""Services of software: calls, keys, jobs."""

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
    when,
    who,
)

ENDPOINTS = (
    ("EP01", "/v1/orders", "GET"),
    ("EP02", "/v1/orders", "POST"),
    ("EP03", "/v1/stations", "GET"),
    ("EP04", "/v1/trips/search", "GET"),
    ("EP05", "/v1/customers", "GET"),
    ("EP06", "/v1/customers", "PUT"),
    ("EP07", "/v1/parcels/track", "GET"),
    ("EP08", "/v1/sessions", "POST"),
    ("EP09", "/v1/prices", "GET"),
    ("EP10", "/v1/documents", "DELETE"),
)


def endpoints() -> Sheet:
    """What a service offers to others."""
    return Sheet(
        "endpoint",
        "endpoints",
        (5, 9),
        (
            code("endpoint", "endpoint code"),
            given("route", "name", "route", 1),
            given("method", "category", "method", 2, "with the method {}"),
            count("limit_ms", "time limit", lambda d: d.pick(200, 400, 600, 900, 1500), "ms"),
        ),
        ENDPOINTS,
    )


register(
    "api-calls",
    ("web-api-development", "incident-response"),
    Sheet(
        "call",
        "calls",
        (28, 60),
        (
            ident("call_id", "call number", "q{}|REQ-{}", (10000, 80000), 61),
            moment("called_at", "time of the call", 3, 1, (0, 23)),
            ref("endpoint", "endpoint code", "to the endpoint {}"),
            enum(
                "partner",
                "partner",
                ("harbour app", "city portal", "kiosk", "partner feed", "mobile app"),
                said="from the partner {}",
            ),
            enum(
                "outcome",
                "outcome",
                {
                    "ok": "that went well|with the outcome ok",
                    "client error": "that ended in a client error",
                    "server error": "that ended in a server error",
                },
                (8, 2, 1.6),
            ),
            count("milliseconds", "duration", (11, 4800), "ms", unique=True),
            amount("kilobytes", "size of the answer", (0.2, 880), "kB", 2),
            flag(
                "cached",
                "cached",
                0.35,
                "that were answered from the cache",
                "that were not answered from the cache",
            ),
        ),
    ),
    endpoints(),
)


register(
    "api-keys",
    ("web-api-development",),
    Sheet(
        "key",
        "keys",
        (16, 36),
        (
            ident("key_id", "key number", "K{}|KEY-{}", (100, 900), 7),
            who("holder", "holder", 3),
            ref("tier", "tier", "of the tier {}"),
            day("created_on", "date of creation", 900, 15),
            when("expires_on", "expiry date", lambda d: d.after("created_on", 180, 1100, None)),
            count("calls_per_day", "calls per day", (4, 58000), unique=True),
            amount("error_share", "share of errors", (0.1, 14), "%", 2),
            enum(
                "state",
                "state",
                {
                    "active": "that are active",
                    "paused": "that are paused",
                    "revoked": "that are revoked",
                },
                (7, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "tier",
        "tiers",
        (3, 4),
        (
            code("tier", "tier"),
            count("daily_limit", "daily limit", lambda d: d.entry[1], "calls"),
            amount("monthly_price", "monthly price", lambda d: d.money(d.near(d.entry[2], 0.08))),
            given("support", "category", "kind of support", 3, "with {} support"),
        ),
        (
            ("free", 1000, 0.5, "forum"),
            ("starter", 5000, 19, "mail"),
            ("team", 20000, 79, "mail"),
            ("large", 100000, 390, "phone"),
        ),
    ),
)


register(
    "pipeline-jobs",
    ("data-tooling", "deployment-automation", "test-quality"),
    Sheet(
        "job",
        "jobs",
        (22, 54),
        (
            ident("job_id", "job number", "J{}|job-{}", (1000, 9000), 4),
            moment("started_at", "start", 10, 1, (0, 23)),
            ref("pipeline", "pipeline", "of the pipeline {}"),
            amount("minutes", "running time", (0.4, 170), "min", 2),
            count("rows_written", "rows written", (0, 640000), unique=True),
            count("retries", "number of retries", lambda d: d.pick(0, 0, 0, 0, 1, 1, 2, 3)),
            enum(
                "state",
                "state",
                {
                    "succeeded": "that succeeded",
                    "failed": "that failed",
                    "skipped": "that were skipped",
                },
                (8, 2, 1.5),
            ),
            enum(
                "trigger",
                "trigger",
                {
                    "schedule": "started by the schedule",
                    "person": "started by a person",
                    "upload": "started by an upload",
                },
                (6, 2, 3),
            ),
        ),
    ),
    Sheet(
        "pipeline",
        "pipelines",
        (4, 6),
        (
            code("pipeline", "pipeline"),
            given("stage", "category", "stage", 1, "in the stage {}"),
            who("owner", "owner", 22),
            amount("cost_per_hour", "cost per hour", (0.2, 6)),
        ),
        (
            ("ingest-weather", "ingest"),
            ("ingest-prices", "ingest"),
            ("clean-stations", "clean"),
            ("merge-claims", "clean"),
            ("publish-maps", "publish"),
            ("nightly-report", "publish"),
        ),
    ),
)
