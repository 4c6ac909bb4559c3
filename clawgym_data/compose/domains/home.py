"""Home: spending, insurance, training, medicine, sleep."""

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
    text,
    when,
    who,
)

register(
    "household-spending",
    ("household-budget",),
    Sheet(
        "purchase",
        "purchases",
        (26, 60),
        (
            ident("entry_no", "entry number", "P{}|E{}", (1, 900), 1),
            day("bought_on", "date", 62, 1),
            ref("category_code", "category code", "of the category with the code {}"),
            amount("amount", "amount", (1.2, 210)),
            enum(
                "paid_with",
                "means of payment",
                {"cash": "paid in cash", "card": "paid by card", "transfer": "paid by transfer"},
                (4, 6, 2),
            ),
            staff("paid_by", "person who paid", 3, "paid by {}"),
            text(
                "what",
                "note",
                (
                    "weekly shop",
                    "bread and cheese",
                    "birthday present",
                    "new light bulbs",
                    "swimming lesson",
                    "cinema, two seats",
                    "vet, second visit",
                    "bicycle tube",
                    "school book",
                    "fish from the van",
                    "tickets to town",
                    "paint, one tin",
                    "shoes for the youngest",
                    "coffee with a neighbour",
                    "stamps",
                    "gas bottle",
                ),
            ),
            flag("shared", "shared", 0.6, "that are shared", "that are not shared"),
        ),
    ),
    Sheet(
        "category",
        "categories",
        (5, 7),
        (
            code("category_code", "category code"),
            given("category", "category", "category", 1, "of the category {}"),
            amount("monthly_budget", "monthly budget", lambda d: d.money(d.near(d.entry[2], 0.15))),
        ),
        (
            ("C1", "food", 520),
            ("C2", "household", 110),
            ("C3", "leisure", 140),
            ("C4", "transport", 160),
            ("C5", "children", 180),
            ("C6", "health", 70),
            ("C7", "presents", 55),
        ),
    ),
)


register(
    "insurance-policies",
    ("household-budget",),
    Sheet(
        "policy",
        "policies",
        (12, 22),
        (
            ident("policy_no", "policy number", "VS-{}|PN{}", (1000, 9000), 211),
            enum(
                "covers",
                "cover",
                ("household contents", "liability", "car", "bicycle", "travel", "legal costs"),
                said="for the cover {}",
            ),
            ref("insurer_code", "insurer code", "with insurer {}"),
            amount("yearly_premium", "yearly premium", (22, 860)),
            count("excess", "excess", lambda d: d.pick(0, 50, 100, 150, 300, 500)),
            when("renews_on", "renewal date", lambda d: d.world.day(-350, -8)),
            count("notice_weeks", "period of notice", lambda d: d.pick(4, 6, 8, 12), "weeks"),
            enum(
                "billing",
                "billing",
                {
                    "monthly": "that are billed monthly",
                    "quarterly": "that are billed quarterly",
                    "yearly": "that are billed yearly",
                },
                (4, 3, 4),
            ),
        ),
    ),
    Sheet(
        "insurer",
        "insurers",
        (3, 5),
        (
            code("insurer_code", "insurer code"),
            who("agent", "agent", 8),
            given("reached_by", "category", "way to reach them", 1, "reached by {}"),
            count("claims_so_far", "claims so far", (0, 9)),
        ),
        (("V1", "phone"), ("V2", "mail"), ("V3", "app"), ("V4", "branch office"), ("V5", "letter")),
    ),
)


register(
    "running-log",
    ("training-wellbeing", "travel-leisure"),
    Sheet(
        "run",
        "runs",
        (22, 54),
        (
            ident("run_no", "run number", "R{}|L{}", (1, 400), 1),
            moment("started_at", "start", 110, 1, (5, 20)),
            ref("route_code", "route code", "on the route with the code {}"),
            amount("distance", "distance", lambda d: d.near(d["route_length"], 0.05), "km", 2),
            amount(
                "minutes", "time", lambda d: d.near(float(d["distance"]) * 5.8, 0.09, 1), "min", 1
            ),
            count("heart_rate", "mean heart rate", lambda d: d.whole(118, 176), "bpm"),
            enum(
                "kind",
                "kind of training",
                {
                    "easy": "that were easy",
                    "tempo": "that were tempo runs",
                    "intervals": "with intervals",
                    "long": "that were long runs",
                },
                (5, 2, 2, 2),
            ),
            enum("shoes", "shoes", ("blue pair", "red pair", "trail pair"), said="in the {}"),
        ),
    ),
    Sheet(
        "route",
        "routes",
        (4, 7),
        (
            code("route_code", "route code"),
            given("route", "name", "route", 1),
            given("surface", "category", "surface", 2, "on {}"),
            amount(
                "route_length", "length of the route", lambda d: d.near(d.entry[3], 0.08), "km", 2
            ),
        ),
        (
            ("RA", "canal loop", "gravel", 6.2),
            ("RB", "around the lake", "gravel", 10.4),
            ("RC", "park rounds", "asphalt", 4.6),
            ("RD", "quarry climb", "forest floor", 8.1),
            ("RE", "old railway", "asphalt", 14.3),
            ("RF", "dyke and back", "grass", 12.2),
            ("RG", "town wall", "cobbles", 3.4),
        ),
    ),
)


register(
    "medication-plan",
    ("training-wellbeing", "household-budget"),
    Sheet(
        "pack",
        "packs",
        (14, 30),
        (
            ident("pack_no", "pack number", "P{}|MP-{}", (10, 300), 2),
            enum(
                "person",
                "person",
                ("grandmother", "grandfather", "mother", "father"),
                said="for {}",
            ),
            ref("product_code", "product code", "of the product with the code {}"),
            day("opened_on", "date of opening", 60, 3),
            when("best_before", "best-before date", lambda d: d.world.day(-700, -20)),
            count("pieces_left", "pieces left", (1, 98), "pieces", unique=True),
            enum(
                "time_of_day",
                "time of day",
                {"morning": "for the morning", "noon": "for noon", "evening": "for the evening"},
                (5, 2, 4),
            ),
            amount("co_payment", "co-payment", (2, 19)),
        ),
    ),
    Sheet(
        "product",
        "products",
        (4, 7),
        (
            code("product_code", "product code"),
            given("form", "category", "form", 1, "in the form of {}"),
            count("pack_size", "pack size", lambda d: d.entry[2], "pieces"),
            enum(
                "kept_in", "place", ("bathroom", "fridge", "kitchen drawer"), said="kept in the {}"
            ),
        ),
        (
            ("MA", "tablets", 100),
            ("MB", "tablets", 50),
            ("MC", "drops", 30),
            ("MD", "capsules", 60),
            ("ME", "plasters", 20),
            ("MF", "capsules", 90),
            ("MG", "sachets", 24),
        ),
    ),
)


register(
    "sleep-diary",
    ("training-wellbeing", "self-study"),
    Sheet(
        "night",
        "nights",
        (24, 50),
        (
            ident("night_no", "night number", "N{}|S{}", (1, 300), 1),
            day("night_of", "date", 60, 1),
            ref("room_code", "room code", "in the room with the code {}"),
            amount("hours", "hours of sleep", lambda d: d.near(6.9, 0.16, 2), "h", 2),
            count("minutes_awake", "minutes awake", (2, 130), "min", unique=True),
            count("coffees", "cups of coffee", lambda d: d.pick(0, 1, 1, 2, 2, 3, 4)),
            enum(
                "mood",
                "mood in the morning",
                {
                    "rested": "after which I felt rested",
                    "tired": "after which I felt tired",
                    "middling": "after which I felt middling",
                },
                (4, 3, 4),
            ),
            flag("screen_late", "late screen", 0.4, "with a late screen", "without a late screen"),
        ),
    ),
    Sheet(
        "room",
        "rooms",
        (3, 4),
        (
            code("room_code", "room code"),
            given("room", "name", "room", 1),
            given("faces", "category", "side", 2, "facing the {}"),
            amount("temperature", "usual temperature", lambda d: d.between(15, 21, 1), "°C", 1),
        ),
        (
            ("Z1", "bedroom", "street"),
            ("Z2", "attic room", "garden"),
            ("Z3", "guest room", "garden"),
            ("Z4", "hotel rooms", "street"),
        ),
    ),
)
