"""Planned money: budgets, grants, tenders, hours."""

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
    ref,
    register,
    when,
    who,
)

register(
    "budget-lines",
    ("budget-control", "grants-tenders"),
    Sheet(
        "budget line",
        "budget lines",
        (18, 40),
        (
            ident("line_no", "line number", "BL{}|K{}", (4000, 7000), 25),
            ref("unit_code", "unit code", "of unit {}"),
            enum(
                "kind",
                "kind of cost",
                ("personnel", "materials", "travel", "services", "rent", "energy"),
                said="for {}",
            ),
            enum("quarter", "quarter", ("Q1", "Q2", "Q3", "Q4"), said="in {}|for {}"),
            amount("planned", "planned amount", (900, 58000)),
            amount("spent", "spent amount", lambda d: d.near(d["planned"], 0.16)),
            flag(
                "carried_over",
                "carried over",
                0.25,
                "that were carried over",
                "that were not carried over",
            ),
        ),
    ),
    Sheet(
        "unit",
        "units",
        (4, 7),
        (
            code("unit_code", "unit code"),
            given("unit", "name", "unit name", 1),
            who("responsible", "person responsible", 7),
            count("head_count", "head count", (3, 60), "persons", unique=True),
        ),
        (
            ("U10", "parks"),
            ("U20", "workshops"),
            ("U30", "education"),
            ("U40", "visitor service"),
            ("U50", "administration"),
            ("U60", "kitchen"),
            ("U70", "transport"),
        ),
    ),
)


register(
    "grants",
    ("grants-tenders", "budget-control"),
    Sheet(
        "application",
        "applications",
        (14, 32),
        (
            ident("application_no", "application number", "G{}|AP-{}", (10, 300), 3),
            day("submitted_on", "date of submission", 420, 10),
            ref("funder_code", "funder code", "to funder {}"),
            enum(
                "theme",
                "theme",
                ("youth", "nature", "music", "heritage", "health", "neighbourhood"),
                said="on the theme of {}",
            ),
            amount("requested", "requested amount", (1500, 90000)),
            enum(
                "decision",
                "decision",
                {
                    "granted": "that were granted",
                    "declined": "that were declined",
                    "pending": "that are still pending|not decided yet",
                },
                (4, 3, 3),
            ),
            amount("own_share", "own share", lambda d: d.between(5, 50, 1), "%", 1),
            count("months", "duration", lambda d: d.pick(6, 9, 12, 18, 24, 36), "months"),
        ),
    ),
    Sheet(
        "funder",
        "funders",
        (4, 7),
        (
            code("funder_code", "funder code"),
            given("funder_kind", "category", "kind of funder", 1, "of the kind {}"),
            who("officer", "programme officer", 5),
            count("weeks_to_decide", "time to decide", (4, 30), "weeks", unique=True),
        ),
        (
            ("F-A", "foundation"),
            ("F-B", "state programme"),
            ("F-C", "city"),
            ("F-D", "lottery"),
            ("F-E", "foundation"),
            ("F-F", "European programme"),
            ("F-G", "company trust"),
        ),
    ),
)


register(
    "tenders",
    ("grants-tenders", "facilities-purchasing"),
    Sheet(
        "bid",
        "bids",
        (14, 34),
        (
            ident("bid_no", "bid number", "BD{}|T-{}", (100, 800), 4),
            ref("lot_code", "lot code", "for lot {}"),
            who("bidder", "bidder", 0),
            when("received_on", "date of receipt", lambda d: d.world.day(3, 30)),
            amount("price", "price", lambda d: d.near(d["estimate"], 0.17)),
            count("points", "quality points", (31, 100), "points", unique=True),
            count("weeks", "building time", lambda d: d.whole(4, 38), "weeks"),
            flag("complete", "complete", 0.8, "that are complete", "that are incomplete"),
        ),
    ),
    Sheet(
        "lot",
        "lots",
        (3, 5),
        (
            code("lot_code", "lot code"),
            given("works", "name", "works", 1),
            amount("estimate", "estimate", (9000, 80000)),
        ),
        (
            ("L1", "earthworks"),
            ("L2", "roofing"),
            ("L3", "windows"),
            ("L4", "electrical installation"),
            ("L5", "planting"),
        ),
    ),
)


register(
    "timesheets",
    ("payroll-timesheets", "budget-control"),
    Sheet(
        "time entry",
        "time entries",
        (24, 58),
        (
            ident("entry_no", "entry number", "TE{}|Z-{}", (1000, 8000), 2),
            day("worked_on", "date", 33, 1),
            ref("worker_no", "worker number", "of worker {}"),
            ref("site_code", "site code", "on site {}|for site {}"),
            enum(
                "activity",
                "activity",
                ("planting", "paving", "mowing", "driving", "repairs", "planning"),
                said="for {}",
            ),
            amount("hours", "hours", lambda d: d.between(0.75, 9.75, 2), "h", 2),
            flag("overtime", "overtime", 0.18, "that are overtime", "that are not overtime"),
        ),
    ),
    Sheet(
        "worker",
        "workers",
        (6, 10),
        (
            ident("worker_no", "worker number", "W{}|M-{}", (10, 90), 5),
            who("worker", "worker name", 2),
            amount("hourly_rate", "hourly rate", (17, 39)),
            enum(
                "grade",
                "grade",
                ("trainee", "skilled", "foreman"),
                (2, 5, 1),
                said="of the grade {}",
            ),
        ),
    ),
    Sheet(
        "site",
        "sites",
        (4, 6),
        (
            code("site_code", "site code"),
            given("site", "name", "site name", 1),
            given("client_kind", "category", "kind of client", 2, "for a {} client"),
        ),
        (
            ("ST-1", "school yard", "public"),
            ("ST-2", "river path", "public"),
            ("ST-3", "villa garden", "private"),
            ("ST-4", "roof terrace", "private"),
            ("ST-5", "factory green", "commercial"),
            ("ST-6", "hotel courtyard", "commercial"),
        ),
    ),
)
