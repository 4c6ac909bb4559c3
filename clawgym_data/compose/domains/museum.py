"""Collections: photos, exhibits, loans."""

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
    text,
    when,
    who,
)

register(
    "photo-archive",
    ("archives-collections", "editorial-planning"),
    Sheet(
        "photo",
        "photos",
        (22, 54),
        (
            ident("photo_id", "photo number", "PH-{}|IMG{}|F{}", (2000, 9000), 9),
            moment("taken_at", "time of the exposure", 700, 20, (7, 20)),
            ref("photographer_no", "photographer number", "by photographer {}"),
            enum(
                "motif",
                "motif",
                ("market", "river", "workshop", "portrait", "snow", "railway"),
                said="with the motif {}",
            ),
            amount("size", "file size", (1.2, 64), "MB", 2),
            count("width", "width", (1600, 8200), "px", unique=True),
            enum(
                "rights",
                "rights",
                {
                    "cleared": "whose rights are cleared",
                    "unclear": "whose rights are unclear",
                    "blocked": "that are blocked",
                },
                (6, 3, 1.5),
            ),
            text(
                "caption",
                "caption",
                (
                    "early light, stalls half built",
                    "two men with a ladder",
                    "from the bridge, looking north",
                    "hands and a plane",
                    "children on the ice",
                    "engine shed, empty",
                    "woman with a basket of eels",
                    "after the storm",
                    "signal box at dusk",
                    "smith at the anvil, blurred",
                    "fair, carousel in the back",
                    "first snow on the quay",
                ),
            ),
        ),
    ),
    Sheet(
        "photographer",
        "photographers",
        (4, 8),
        (
            ident("photographer_no", "photographer number", "FG{}|N{}", (1, 50), 4),
            who("photographer", "photographer name", 11),
            amount("picture_fee", "fee per picture", (12, 95)),
            flag(
                "credit_needed",
                "credit needed",
                0.6,
                "who must be credited",
                "who need not be credited",
            ),
        ),
    ),
)


EXHIBITS = (
    ("millstone, broken", "tools"),
    ("spinning wheel", "tools"),
    ("cooper's adze", "tools"),
    ("brass scales", "tools"),
    ("ship model in a bottle", "models"),
    ("model of the weir", "models"),
    ("toy railway", "models"),
    ("guild banner", "textiles"),
    ("christening gown", "textiles"),
    ("miner's jacket", "textiles"),
    ("sampler with alphabet", "textiles"),
    ("town seal", "documents"),
    ("letter of safe conduct", "documents"),
    ("tax roll", "documents"),
    ("plan of the moat", "documents"),
    ("tin plate", "household"),
    ("stoneware jug", "household"),
    ("copper kettle", "household"),
    ("wafer iron", "household"),
    ("oil lamp", "household"),
    ("portrait of a mayor", "paintings"),
    ("river view in fog", "paintings"),
    ("still life with herring", "paintings"),
    ("winter market", "paintings"),
    ("organ pipe", "music"),
    ("hurdy-gurdy", "music"),
    ("post horn", "music"),
    ("church bell clapper", "music"),
)


register(
    "exhibits",
    ("archives-collections",),
    Sheet(
        "object",
        "objects",
        (18, 28),
        (
            ident("inventory_no", "inventory number", "M{}|INV-{}", (100, 4000), 29),
            given("object_name", "name", "object name", 0),
            given("group", "category", "group", 1, "in the group {}"),
            ref("room_code", "room code", "in room {}"),
            count("made_in", "year of origin", (1640, 1930), unique=False),
            amount("insured_value", "insured value", (40, 18000)),
            amount("height", "height", (2, 190), "cm", 1),
            enum(
                "condition",
                "condition",
                {
                    "good": "in good condition",
                    "fair": "in fair condition",
                    "poor": "in poor condition",
                },
                (5, 4, 2),
            ),
        ),
        EXHIBITS,
    ),
    Sheet(
        "room",
        "rooms",
        (4, 6),
        (
            code("room_code", "room code"),
            given("room", "name", "room name", 1),
            amount("humidity", "humidity", lambda d: d.between(41, 63, 1), "%", 1),
            flag(
                "open_to_public",
                "open to the public",
                0.6,
                "that are open to the public",
                "that are closed to the public",
            ),
        ),
        (
            ("EG1", "river room"),
            ("EG2", "guild hall"),
            ("OG1", "picture gallery"),
            ("OG2", "music room"),
            ("DG1", "attic depot"),
            ("KG1", "vault"),
        ),
    ),
)


register(
    "museum-loans",
    ("archives-collections",),
    Sheet(
        "loan",
        "loans",
        (14, 32),
        (
            ident("loan_no", "loan number", "LN{}|LV-{}", (10, 300), 2),
            text("object_name", "object", tuple(name for name, _ in EXHIBITS)),
            ref("borrower_no", "borrower number", "to borrower {}"),
            day("begins_on", "beginning", 500, 20),
            when("ends_on", "end", lambda d: d.after("begins_on", 40, 400, None)),
            amount("insured_value", "insured value", (150, 32000)),
            enum(
                "transport",
                "transport",
                {
                    "courier": "sent by courier",
                    "own van": "taken in our own van",
                    "collected": "collected by the borrower",
                },
                (4, 4, 2),
            ),
            flag(
                "report_signed",
                "condition report signed",
                0.7,
                "with a signed condition report",
                "without a signed condition report",
            ),
        ),
    ),
    Sheet(
        "borrower",
        "borrowers",
        (4, 8),
        (
            ident("borrower_no", "borrower number", "BR{}|E-{}", (1, 80), 6),
            who("contact", "contact person", 14),
            place("town", "town", 6, "in {}"),
            enum(
                "kind_of_house",
                "kind of house",
                ("museum", "school", "library", "gallery"),
                said="of the kind {}",
            ),
        ),
    ),
)
