"""Money: invoices, payments, expenses, cards."""

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
            ident("invoice_no", "invoice number", "RE-{}|INV{}", (1000, 8000), 3),
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
