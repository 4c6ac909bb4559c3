"""Money: invoices, expenses, budgets, grants, tenders, hours."""

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
    text,
    when,
    who,
)

register(
    "invoices",
    ("invoice-processing", "budget-control", "data-quality"),
    Sheet(
        "invoice",
        "invoices",
        (18, 50),
        (
            ident("invoice_no", "invoice number", "RE-{}|INV{}|{y}/{}", (1000, 8000), 3),
            day("invoiced_on", "invoice date", 150, 3),
            ref("vendor_no", "vendor number", "from vendor {}"),
            amount("net_amount", "net amount", (28, 7800)),
            count("vat_rate", "VAT rate", lambda d: d.pick(7, 19, 19, 19), "%"),
            when(
                "due_on",
                "due date",
                lambda d: d.after("invoiced_on", d["payment_days"], d["payment_days"], None),
            ),
            enum(
                "status",
                "status",
                {
                    "paid": "that are paid|already paid",
                    "open": "that are still open",
                    "disputed": "that we dispute|that are disputed",
                },
                (6, 4, 1.6),
            ),
            staff("approved_by", "approver", 4, "approved by {}"),
        ),
    ),
    Sheet(
        "vendor",
        "vendors",
        (6, 10),
        (
            ident("vendor_no", "vendor number", "K{}|V-{}", (700, 7000), 13),
            who("vendor", "vendor name"),
            place("town", "town", 6, "in {}|from {}"),
            count("payment_days", "time for payment", lambda d: d.pick(10, 14, 21, 30, 45), "days"),
        ),
    ),
)

register(
    "incoming-payments",
    ("invoice-processing", "membership-care"),
    Sheet(
        "payment",
        "payments",
        (18, 46),
        (
            ident("payment_no", "payment number", "Z{}|PAY-{}", (2000, 9000), 4),
            day("booked_on", "booking date", 75, 1),
            ref("payer_no", "payer number", "from payer {}"),
            amount("amount", "amount", (12, 3900)),
            enum(
                "method",
                "method",
                {
                    "transfer": "made by transfer",
                    "direct debit": "made by direct debit",
                    "card": "made by card",
                    "cash": "made in cash",
                },
                (6, 3, 2, 1.5),
            ),
            flag(
                "matched",
                "matched",
                0.75,
                "that are matched to an invoice",
                "that are not matched to an invoice",
            ),
            text(
                "reference",
                "payment reference",
                (
                    "second instalment",
                    "thank you for the quick help",
                    "invoice of last month",
                    "workshop in spring",
                    "deposit, see letter",
                    "rest of the sum",
                    "yearly fee",
                    "for both of us",
                    "less discount",
                    "without reference",
                ),
            ),
        ),
    ),
    Sheet(
        "payer",
        "payers",
        (7, 11),
        (
            ident("payer_no", "payer number", "D{}|PY{}", (100, 800), 9),
            who("payer", "payer name", 2),
            enum(
                "customer_kind",
                "kind of customer",
                ("private", "business", "public body"),
                said="of the kind {}",
            ),
        ),
    ),
)

register(
    "expense-claims",
    ("expense-claims", "budget-control"),
    Sheet(
        "claim",
        "claims",
        (20, 50),
        (
            ident("claim_no", "claim number", "EX{}|SP-{}", (300, 3000), 2),
            day("spent_on", "date of the expense", 85, 3),
            ref("traveller_no", "staff number", "of the person with staff number {}"),
            enum(
                "type",
                "type of expense",
                {
                    "train": "for train tickets",
                    "hotel": "for hotels",
                    "meals": "for meals",
                    "taxi": "for taxis",
                    "materials": "for materials",
                    "fuel": "for fuel",
                },
                (5, 3, 4, 2, 2, 2),
            ),
            amount(
                "amount",
                "amount",
                lambda d: d.money(
                    d.near(
                        {
                            "train": 64,
                            "hotel": 128,
                            "meals": 27,
                            "taxi": 19,
                            "materials": 45,
                            "fuel": 58,
                        }[d["type"]],
                        0.32,
                    )
                ),
            ),
            flag("receipt", "receipt", 0.82, "with a receipt", "without a receipt"),
            enum(
                "state",
                "state",
                {
                    "submitted": "that are submitted but not decided|in the state submitted",
                    "approved": "that are approved",
                    "rejected": "that were rejected",
                    "paid": "that are paid out",
                },
                (4, 3, 1.5, 4),
            ),
            place("town", "town", 7, "from {}|made in {}"),
        ),
    ),
    Sheet(
        "traveller",
        "travellers",
        (6, 10),
        (
            ident("traveller_no", "staff number", "T{}|PN-{}", (100, 900), 12),
            who("traveller", "traveller name", 1),
            enum(
                "cost_centre",
                "cost centre",
                ("sales", "service", "research", "management"),
                said="of the cost centre {}",
            ),
            amount(
                "daily_limit",
                "daily limit",
                lambda d: d.money(d.pick(90, 120, 150, 200)),
                unique=False,
            ),
        ),
    ),
)

register(
    "card-statement",
    ("expense-claims", "household-budget", "invoice-processing"),
    Sheet(
        "card payment",
        "card payments",
        (22, 54),
        (
            ident("entry_no", "entry number", "N{}|C-{}", (10000, 80000), 37),
            moment("paid_at", "time of payment", 40, 1, (7, 22)),
            ref("shop_id", "shop code", "at shop {}"),
            amount("amount", "amount", (2.5, 240)),
            enum(
                "card",
                "card",
                ("card ending in 12", "card ending in 48", "card ending in 90"),
                said="made with the {}",
            ),
            flag("abroad", "abroad", 0.2, "made abroad", "made at home"),
        ),
    ),
    Sheet(
        "shop",
        "shops",
        (7, 10),
        (
            code("shop_id", "shop code"),
            given("shop", "name", "shop name", 1),
            given("sector", "category", "sector", 2, "in the sector {}"),
            place("town", "town", 5, "in {}"),
        ),
        (
            ("S01", "Corner Bakery", "food"),
            ("S02", "Green Basket", "food"),
            ("S03", "Old Mill Market", "food"),
            ("S04", "Station Kiosk", "travel"),
            ("S05", "City Buses", "travel"),
            ("S06", "Ring Road Fuel", "travel"),
            ("S07", "Paper and Ink", "household"),
            ("S08", "Bolt and Board", "household"),
            ("S09", "Lamp Cellar", "household"),
            ("S10", "Page Turner", "leisure"),
            ("S11", "Lido", "leisure"),
        ),
    ),
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
            ident("application_no", "application number", "G{}|AP-{}|{y}-G{}", (10, 300), 3),
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
