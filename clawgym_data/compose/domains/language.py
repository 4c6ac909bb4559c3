"""Language: translations, terms, help pages."""

from clawgym_data.compose.domains.sheets import (
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    given,
    ident,
    ref,
    register,
    staff,
    when,
    who,
)

LANGUAGES = (
    ("DE", "German", 0.12),
    ("FR", "French", 0.13),
    ("ES", "Spanish", 0.11),
    ("IT", "Italian", 0.12),
    ("NL", "Dutch", 0.14),
    ("SV", "Swedish", 0.16),
    ("PL", "Polish", 0.1),
    ("JA", "Japanese", 0.19),
    ("PT", "Portuguese", 0.11),
    ("FI", "Finnish", 0.17),
)


register(
    "translation-jobs",
    ("translation-localisation", "product-documentation"),
    Sheet(
        "job",
        "jobs",
        (20, 48),
        (
            ident("job_no", "job number", "J{}|TJ-{}", (300, 4000), 3),
            day("ordered_on", "order date", 80, 4),
            when("due_on", "due date", lambda d: d.after("ordered_on", 4, 30, None)),
            ref("language_code", "language code", "into the language with the code {}"),
            staff("translator", "translator", 6, "translated by {}|given to {}"),
            count("words", "number of words", (140, 9400), "words", unique=True),
            amount(
                "price",
                "price",
                lambda d: d.money(d.near(d["words"] * float(d["word_price"]), 0.05)),
            ),
            enum(
                "state",
                "state",
                {
                    "ordered": "that are only ordered so far|in the state ordered",
                    "translated": "that are translated",
                    "reviewed": "that are reviewed",
                    "delivered": "that are delivered",
                },
                (2, 3, 2, 4),
            ),
        ),
    ),
    Sheet(
        "language",
        "languages",
        (5, 8),
        (
            code("language_code", "language code"),
            given("language", "category", "language", 1, "into {}"),
            amount(
                "word_price", "price per word", lambda d: d.near(d.entry[2], 0.08, 3), decimals=3
            ),
            who("reviewer", "reviewer", 16),
        ),
        LANGUAGES,
    ),
)


TERMS = (
    "gear rim",
    "brake shoe",
    "hub",
    "freewheel",
    "mudguard",
    "saddle clamp",
    "spoke key",
    "chain guard",
    "quick release",
    "dynamo",
    "bottom bracket",
    "headset",
    "pedal arm",
    "rear stay",
    "tyre lever",
    "valve cap",
    "cable end",
    "rim tape",
    "luggage rack",
    "kickstand",
    "frame lug",
    "steering tube",
    "crown nut",
    "bearing race",
    "toe clip",
    "shift lever",
    "cotter pin",
    "lock washer",
    "bell",
    "reflector",
)


register(
    "glossary",
    ("translation-localisation", "product-documentation"),
    Sheet(
        "term",
        "terms",
        (18, 30),
        (
            ident("term_no", "term number", "G{}|TM-{}", (1, 700), 5),
            given("term", "name", "term", 0),
            ref("subject_code", "subject code", "from subject {}"),
            count("uses", "number of uses", (1, 340), unique=True),
            enum(
                "status",
                "status",
                {
                    "approved": "that are approved",
                    "proposed": "that are proposed",
                    "banned": "that are banned",
                },
                (6, 3, 1.5),
            ),
            day("changed_on", "date of the last change", 600, 4),
            staff("proposed_by", "proposer", 4, "proposed by {}"),
        ),
        tuple((term,) for term in TERMS),
    ),
    Sheet(
        "subject",
        "subjects",
        (3, 5),
        (
            code("subject_code", "subject code"),
            given("subject", "name", "subject", 1),
            who("expert", "expert", 21),
            count("target", "target number of terms", (40, 400), unique=True),
        ),
        (
            ("SB1", "frame"),
            ("SB2", "drive"),
            ("SB3", "brakes"),
            ("SB4", "wheels"),
            ("SB5", "lighting"),
        ),
    ),
)


register(
    "help-pages",
    ("product-documentation", "translation-localisation"),
    Sheet(
        "page",
        "pages",
        (20, 46),
        (
            ident("page_id", "page number", "HP{}|DOC-{}", (100, 900), 4),
            enum(
                "topic",
                "topic",
                ("set-up", "safety", "cleaning", "repair", "warranty", "updates"),
                said="on the topic {}",
            ),
            ref("product_code", "product code", "for product {}"),
            day("updated_on", "date of the last update", 900, 6),
            count("words", "number of words", (90, 2600), "words", unique=True),
            count("views", "number of views", (12, 8400), unique=True),
            enum(
                "state",
                "state",
                {
                    "current": "that are current",
                    "outdated": "that are outdated",
                    "draft": "that are drafts",
                },
                (6, 3, 2),
            ),
            staff("writer", "writer", 4, "written by {}"),
        ),
    ),
    Sheet(
        "product",
        "products",
        (4, 7),
        (
            code("product_code", "product code"),
            given("product", "name", "product name", 1),
            when("sold_until", "end of sale", lambda d: d.world.day(-700, 200)),
            given("line", "category", "product line", 2, "in the line {}"),
        ),
        (
            ("PX10", "cordless drill", "workshop"),
            ("PX20", "belt sander", "workshop"),
            ("PX30", "hedge trimmer", "garden"),
            ("PX40", "kettle", "home"),
            ("PX50", "steam iron", "home"),
            ("PX60", "hand mixer", "home"),
            ("PX70", "leaf blower", "garden"),
        ),
    ),
)
