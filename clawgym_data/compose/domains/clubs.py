"""Clubs: members, allotments, rehearsals, repairs."""

from clawgym_data.compose.domains.sheets import (
    Field,
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
    who,
)

register(
    "members",
    ("membership-care",),
    Sheet(
        "member",
        "members",
        (20, 36),
        (
            ident("member_no", "member number", "M{}|{}-M", (100, 900), 9),
            who("member", "name"),
            Field(
                "email",
                "text",
                "mail address",
                lambda d: d.world.email(d["member"]).split("@")[0] + "@example.net",
            ),
            day("joined_on", "date of joining", 5200, 30),
            ref("group_code", "group code", "in group {}"),
            enum(
                "standing",
                "standing",
                {
                    "active": "that are active",
                    "passive": "that are passive",
                    "honorary": "that are honorary|of honorary standing",
                },
                (6, 3, 1),
            ),
            amount(
                "yearly_fee",
                "yearly fee",
                lambda d: d.near(d["base_fee"] / (1 if d["standing"] == "active" else 2), 0.2),
            ),
            count("hours_helped", "hours of help", (0, 64), "h"),
        ),
    ),
    Sheet(
        "group",
        "groups",
        (4, 6),
        (
            code("group_code", "group code"),
            given("group_name", "name", "group name", 1),
            who("leader", "leader", 12),
            amount("base_fee", "base fee", (40, 160)),
        ),
        (
            ("G1", "juniors"),
            ("G2", "adults"),
            ("G3", "seniors"),
            ("G4", "families"),
            ("G5", "competition"),
            ("G6", "beginners"),
        ),
    ),
)


register(
    "allotments",
    ("membership-care",),
    Sheet(
        "plot",
        "plots",
        (18, 38),
        (
            ident("plot_no", "plot number", "A{}|P-{}", (1, 60), 3),
            who("tenant", "tenant"),
            ref("row_code", "path code", "on path {}"),
            amount("area", "area", (90, 420), "m²", 1),
            amount("rent", "yearly rent", lambda d: d.money(d.near(float(d["area"]) * 0.38, 0.06))),
            amount("water_used", "water used", (2, 64), "m³", 2),
            enum(
                "state",
                "state",
                {
                    "tended": "that are tended",
                    "overgrown": "that are overgrown",
                    "vacant": "that are to be let again|in the state vacant",
                },
                (6, 2, 1.5),
            ),
            flag("paid", "rent paid", 0.7, "whose rent is paid", "whose rent is not paid"),
        ),
    ),
    Sheet(
        "path",
        "paths",
        (3, 5),
        (
            code("row_code", "path code"),
            given("path_name", "name", "path name", 1),
            who("warden", "warden", 20),
            enum("soil", "soil", ("loam", "sand", "clay"), said="on {}"),
        ),
        (
            ("W1", "Plum Path"),
            ("W2", "Thrush Path"),
            ("W3", "Well Path"),
            ("W4", "Hedge Path"),
            ("W5", "Bee Path"),
        ),
    ),
)


register(
    "choir-rehearsals",
    ("membership-care", "event-bookings"),
    Sheet(
        "attendance",
        "attendances",
        (26, 56),
        (
            ident("entry_no", "entry number", "N{}|R-{}", (100, 800), 1),
            day("rehearsed_on", "date of the rehearsal", 120, 3),
            ref("singer_no", "singer number", "of singer {}"),
            enum(
                "piece",
                "piece",
                ("Evening Song", "Mass in D", "Three Folk Songs", "Winter Round", "Harvest Hymn"),
                said="for the piece {}",
            ),
            count("minutes_present", "time present", (20, 150), "min", unique=True),
            enum(
                "note",
                "kind of attendance",
                {
                    "on time": "that were on time",
                    "late": "that were late",
                    "left early": "that ended early",
                },
                (7, 2, 1),
            ),
            amount("travel_cost", "travel cost", (1.2, 19)),
        ),
    ),
    Sheet(
        "singer",
        "singers",
        (9, 14),
        (
            ident("singer_no", "singer number", "S{}|V-{}", (10, 80), 3),
            who("singer", "name"),
            enum("voice", "voice", ("soprano", "alto", "tenor", "bass"), said="of the voice {}"),
            flag(
                "scores_borrowed",
                "borrowed scores",
                0.5,
                "with borrowed scores",
                "without borrowed scores",
            ),
        ),
    ),
)


register(
    "repair-cafe",
    ("membership-care",),
    Sheet(
        "repair",
        "repairs",
        (18, 46),
        (
            ident("case_no", "case number", "RC{}|X-{}", (100, 900), 1),
            day("brought_on", "date", 150, 5),
            enum(
                "device",
                "device",
                (
                    "toaster",
                    "lamp",
                    "radio",
                    "jacket",
                    "bicycle",
                    "vacuum cleaner",
                    "toy",
                    "laptop",
                ),
                said="of the kind {}",
            ),
            ref("fixer_no", "helper number", "done by helper {}"),
            enum(
                "result",
                "result",
                {
                    "repaired": "that succeeded|with the result repaired",
                    "advice": "that ended in advice only",
                    "not repairable": "that failed|with the result not repairable",
                },
                (6, 2, 3),
            ),
            amount("weight", "weight", (0.2, 16), "kg", 2),
            count("minutes", "time taken", (8, 140), "min"),
            amount("donation", "donation", (0.5, 40)),
        ),
    ),
    Sheet(
        "helper",
        "helpers",
        (5, 8),
        (
            ident("fixer_no", "helper number", "H{}|F{}", (1, 40), 3),
            who("helper", "helper name", 3),
            enum(
                "skill",
                "skill",
                ("electrics", "sewing", "bicycles", "computers", "woodwork"),
                said="with the skill {}",
            ),
        ),
    ),
)
