"""Accounts, devices and licences."""

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
    when,
    who,
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
