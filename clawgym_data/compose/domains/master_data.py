"""Master data: addresses, imports."""

from clawgym_data.compose.domains.sheets import (
    Field,
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    given,
    ident,
    moment,
    place,
    ref,
    register,
    staff,
    who,
)

register(
    "address-records",
    ("data-quality", "records-management"),
    Sheet(
        "record",
        "records",
        (22, 32),
        (
            ident("record_id", "record number", "AD{}|REC-{}", (1000, 9000), 17),
            who("person", "name"),
            Field(
                "email",
                "text",
                "mail address",
                lambda d: (
                    d.world.email(d["person"]).split("@")[0]
                    + d.pick("@example.net", "@example.com", "@example.org")
                ),
            ),
            place("town", "town", 7, "in {}"),
            ref("source_code", "source code", "from source {}"),
            day("changed_on", "date of the last change", 900, 5),
            count("orders", "number of orders", (1, 46)),
            amount("turnover", "turnover", (20, 5200)),
        ),
    ),
    Sheet(
        "source",
        "sources",
        (3, 5),
        (
            code("source_code", "source code"),
            given("source", "name", "source", 1),
            enum(
                "trust", "trustworthiness", ("high", "medium", "low"), said="of {} trustworthiness"
            ),
            amount("error_rate", "error rate", (0.2, 9), "%", 2),
        ),
        (
            ("SRC1", "web form"),
            ("SRC2", "phone desk"),
            ("SRC3", "old system"),
            ("SRC4", "trade fair"),
            ("SRC5", "partner list"),
        ),
    ),
)


register(
    "import-batches",
    ("data-quality", "data-tooling"),
    Sheet(
        "batch",
        "batches",
        (20, 46),
        (
            ident("batch_no", "batch number", "B{}|IMP-{}", (300, 3000), 1),
            moment("loaded_at", "time of loading", 25, 1, (0, 23)),
            ref("feed_code", "feed code", "of feed {}"),
            count("rows_read", "rows read", (120, 48000), "rows", unique=True),
            count(
                "rows_rejected",
                "rows rejected",
                lambda d: int(d.near(d["rows_read"] / 60, 0.35, 0)),
                "rows",
            ),
            amount(
                "seconds", "running time", lambda d: d.near(d["rows_read"] / 210, 0.25, 1), "s", 1
            ),
            enum(
                "state",
                "state",
                {
                    "loaded": "that are loaded",
                    "partly loaded": "that are partly loaded",
                    "failed": "that failed",
                },
                (7, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "feed",
        "feeds",
        (4, 6),
        (
            code("feed_code", "feed code"),
            given("feed", "name", "feed name", 1),
            given("format", "category", "format", 2, "in the format {}"),
            staff("owner", "owner", 4, "owned by {}"),
        ),
        (
            ("FD-1", "prices", "csv"),
            ("FD-2", "stations", "json"),
            ("FD-3", "patients", "xml"),
            ("FD-4", "weather", "json"),
            ("FD-5", "parcels", "csv"),
            ("FD-6", "contracts", "xlsx"),
        ),
    ),
)
