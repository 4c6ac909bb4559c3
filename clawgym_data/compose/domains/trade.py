"""Buying and selling: orders, stock, deliveries, market stalls, returns."""

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
    place,
    ref,
    register,
    staff,
    text,
    when,
    who,
)

GOODS = (
    ("SH-01", "oak shelf", "furniture", 189),
    ("SH-02", "pine shelf", "furniture", 79),
    ("TB-11", "side table", "furniture", 145),
    ("TB-14", "folding table", "furniture", 98),
    ("CH-05", "reading chair", "furniture", 320),
    ("LP-20", "desk lamp", "lighting", 54),
    ("LP-23", "floor lamp", "lighting", 119),
    ("LP-27", "wall light", "lighting", 46),
    ("CU-31", "linen curtain", "textiles", 64),
    ("CU-33", "wool rug", "textiles", 210),
    ("CU-38", "quilt", "textiles", 88),
    ("CL-40", "wall clock", "decoration", 39),
    ("CL-42", "picture frame", "decoration", 18),
    ("CL-45", "stoneware vase", "decoration", 27),
)

register(
    "orders",
    ("order-handling", "sales-reporting", "data-quality"),
    Sheet(
        "order",
        "orders",
        (18, 48),
        (
            ident("order_id", "order number", "A-{}|ORD{}", (2000, 7000), 2),
            day("ordered_on", "order date", 120, 3),
            ref("customer_id", "customer number", "of customer {}|from customer {}"),
            ref("article_no", "article number", "for article {}"),
            count("quantity", "quantity", (1, 14), "pieces"),
            amount(
                "net_amount",
                "net amount",
                lambda d: d["list_price"] * d["quantity"] * d.pick(100, 100, 97, 95, 90) / 100,
            ),
            enum(
                "status",
                "status",
                {
                    "open": "that are still open|with the status open",
                    "shipped": "that have been shipped|already shipped",
                    "cancelled": "that were cancelled|that the customer cancelled",
                    "returned": "that came back to us as returned|that were returned",
                },
                (4, 6, 2, 2),
            ),
        ),
    ),
    Sheet(
        "customer",
        "customers",
        (7, 11),
        (
            ident("customer_id", "customer number", "C{}|K-{}", (100, 800), 9),
            who("customer", "customer name"),
            place("city", "city", 6, "from {}|in {}"),
        ),
    ),
    Sheet(
        "article",
        "articles",
        (7, 11),
        (
            code("article_no", "article number"),
            given("article", "category", "article name", 1),
            given("range", "category", "range", 2, "in the range {}|of the range {}"),
            amount("list_price", "list price", lambda d: d.money(d.near(d.entry[3], 0.04))),
        ),
        GOODS,
    ),
)

SUPPLIES = (
    ("copy paper A4", "stationery", "box", 24),
    ("envelopes C5", "stationery", "box", 11),
    ("ring binders", "stationery", "piece", 3),
    ("whiteboard pens", "stationery", "pack", 8),
    ("toner black", "printing", "piece", 74),
    ("toner colour set", "printing", "pack", 189),
    ("label rolls", "printing", "roll", 13),
    ("floor cleaner", "cleaning", "canister", 19),
    ("glass cleaner", "cleaning", "bottle", 4),
    ("microfibre cloths", "cleaning", "pack", 9),
    ("paper towels", "cleaning", "box", 33),
    ("hand soap", "cleaning", "canister", 15),
    ("LED tubes", "electrical", "piece", 12),
    ("extension leads", "electrical", "piece", 14),
    ("batteries AA", "electrical", "pack", 7),
    ("smoke detectors", "electrical", "piece", 26),
    ("door handles", "hardware", "piece", 31),
    ("cable ties", "hardware", "pack", 6),
    ("wall plugs", "hardware", "box", 10),
    ("radiator valves", "hardware", "piece", 22),
    ("first aid kits", "safety", "piece", 38),
    ("work gloves", "safety", "pair", 5),
    ("ear defenders", "safety", "piece", 17),
    ("coffee beans", "kitchen", "kg", 16),
    ("dishwasher tablets", "kitchen", "box", 14),
    ("mineral water", "kitchen", "crate", 7),
)

register(
    "stock",
    ("facilities-purchasing", "order-handling", "data-quality"),
    Sheet(
        "item",
        "items",
        (16, 26),
        (
            ident("item_no", "item number", "I-{}|M{}", (100, 700), 7),
            given("item", "name", "item name", 0),
            given("group", "category", "group", 1, "in the group {}|of the group {}"),
            ref("supplier_no", "supplier number", "from supplier {}"),
            count("in_stock", "stock", (0, 160), unique=True),
            count("minimum", "minimum stock", lambda d: d.pick(5, 10, 15, 20, 25, 40)),
            amount("unit_price", "unit price", lambda d: d.money(d.near(d.entry[3], 0.1))),
            day("counted_on", "date of the last count", 200, 5),
        ),
        SUPPLIES,
    ),
    Sheet(
        "supplier",
        "suppliers",
        (4, 7),
        (
            ident("supplier_no", "supplier number", "S{}|L-{}", (10, 80), 6),
            who("contact", "contact person", 8),
            place("town", "town", 5, "in {}|from {}"),
            count("delivery_days", "delivery time", (2, 21), "days", unique=True),
        ),
    ),
)

register(
    "deliveries",
    ("operations-reporting", "order-handling"),
    Sheet(
        "delivery",
        "deliveries",
        (20, 50),
        (
            ident("delivery_no", "delivery number", "D-{}|LS{}", (4000, 9000), 3),
            day("planned_for", "planned date", 60, 2),
            when("delivered_on", "delivery date", lambda d: d.after("planned_for", 0, 4)),
            ref("driver_id", "driver number", "driven by {}"),
            place("destination", "destination", 7, "to {}|for {}"),
            count("parcels", "number of parcels", (1, 38)),
            amount("weight", "weight", (3, 900), "kg", 1),
            enum(
                "outcome",
                "outcome",
                {
                    "complete": "that arrived complete",
                    "damaged": "that arrived damaged",
                    "refused": "that the recipient refused|that were refused",
                    "partial": "that arrived only in part",
                },
                (9, 2, 1.5, 2),
            ),
        ),
    ),
    Sheet(
        "driver",
        "drivers",
        (4, 7),
        (
            ident("driver_id", "driver number", "F{}|DR-{}", (10, 60), 4),
            who("driver", "driver name", 3),
            enum("vehicle", "vehicle", ("small van", "large van", "lorry", "cargo bike")),
        ),
    ),
)

register(
    "returns",
    ("order-handling", "customer-support", "sales-reporting"),
    Sheet(
        "return",
        "returns",
        (16, 40),
        (
            ident("return_no", "return number", "R-{}|RT{}", (300, 900), 2),
            day("received_on", "date of receipt", 90, 2),
            ref("article_no", "article number", "of article {}"),
            enum(
                "reason",
                "reason",
                {
                    "damaged": "that came back damaged|because of damage",
                    "wrong item": "because the wrong item was sent",
                    "too late": "because the delivery came too late",
                    "not liked": "because the article was not liked",
                },
                (4, 2, 2, 4),
            ),
            amount(
                "refund",
                "refund",
                lambda d: (
                    d["list_price"] * d.pick(100, 100, 90, 80, 50) / 100
                    - d.whole(0, 400) / d.money(100)
                ),
            ),
            flag(
                "restocked",
                "back on the shelf",
                0.6,
                "that went back on the shelf",
                "that did not go back on the shelf",
            ),
            staff("handled_by", "handler", 4, "handled by {}"),
            text(
                "note",
                "note",
                (
                    "box open, article unused",
                    "scratch on the left side",
                    "customer will call again",
                    "screws missing",
                    "colour differs from the picture",
                    "parcel was left in the rain",
                    "no receipt enclosed, found by the name",
                    "second return of this customer",
                ),
            ),
        ),
    ),
    Sheet(
        "article",
        "articles",
        (6, 10),
        (
            code("article_no", "article number"),
            given("article", "category", "article name", 1),
            given("range", "category", "range", 2, "in the range {}|of the range {}"),
            amount("list_price", "list price", lambda d: d.money(d.near(d.entry[3], 0.04))),
        ),
        GOODS,
    ),
)

STALLS = ("vegetables", "cheese", "bread", "flowers", "honey", "fish", "spices", "pottery")

register(
    "market-stalls",
    ("sales-reporting", "event-bookings", "public-statistics"),
    Sheet(
        "market day",
        "market days",
        (24, 50),
        (
            ident("entry_no", "entry number", "E{}|MD-{}", (100, 700), 2),
            day("held_on", "date", 150, 4),
            ref("stall_no", "stall number", "of stall {}"),
            enum(
                "weather",
                "weather",
                {
                    "dry": "with dry weather|on which it stayed dry",
                    "rain": "with rain|on which it rained",
                    "snow": "with snow|on which it snowed",
                    "storm": "with a storm|on which it was stormy",
                },
                (6, 4, 1.5, 1.5),
            ),
            count("customers", "number of customers", (18, 240), unique=True),
            amount("takings", "takings", lambda d: d.money(d.near(d["customers"] * 7.5, 0.22))),
            amount(
                "stall_fee", "stall fee", lambda d: d.money(d.pick(18, 22, 26, 30)), unique=False
            ),
        ),
    ),
    Sheet(
        "stall",
        "stalls",
        (5, 8),
        (
            ident("stall_no", "stall number", "ST{}|P-{}", (1, 30), 4),
            who("owner", "owner"),
            given("goods", "category", "goods", 0, "selling {}"),
            amount("length", "length", (2, 7), "m", 1),
        ),
        tuple((name,) for name in STALLS),
    ),
)

PARTNERS = ("pumps", "valves", "seals", "filters", "hoses", "bearings")

register(
    "quotations",
    ("sales-reporting",),
    Sheet(
        "quotation",
        "quotations",
        (18, 42),
        (
            ident("quote_no", "quotation number", "Q{}|AN-{}", (500, 900), 3),
            day("sent_on", "date of dispatch", 160, 6),
            ref("account_no", "account number", "to account {}"),
            enum("product_line", "product line", PARTNERS, said="for {}"),
            amount("value", "value", (400, 48000)),
            count("validity", "validity", lambda d: d.pick(14, 30, 45, 60, 90), "days"),
            enum(
                "result",
                "result",
                {
                    "won": "that we won|that were accepted",
                    "lost": "that we lost|lost to others",
                    "pending": "that are still pending|without a decision yet",
                },
                (4, 4, 3),
            ),
            staff("salesperson", "salesperson", 5, "made by {}|of {}"),
        ),
    ),
    Sheet(
        "account",
        "accounts",
        (6, 10),
        (
            ident("account_no", "account number", "AC{}|A-{}", (1100, 8000), 200),
            who("buyer", "buyer", 4),
            place("region", "region", 4, "in the region {}|from the region {}"),
            enum("size", "size of the firm", ("small", "medium", "large")),
            amount("discount", "discount", lambda d: d.between(1, 15, 1), "%", 1, unique=True),
        ),
    ),
)
