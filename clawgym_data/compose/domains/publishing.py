"""Content and publishing: articles, pictures, loans, translations, programmes, help pages."""

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

TOPICS = (
    ("How the lido was saved",),
    ("Ten trees for dry summers",),
    ("The last ferryman retires",),
    ("A bridge too narrow",),
    ("Cooking with windfalls",),
    ("Night bus, full of nurses",),
    ("The choir that sings at noon",),
    ("Rents and promises",),
    ("Where the swifts have gone",),
    ("A school without bells",),
    ("The museum moves house",),
    ("Bread from old grain",),
    ("Why the clock runs late",),
    ("Volunteers at the weir",),
    ("A street gets its name back",),
    ("The cheese maker's second life",),
    ("Trams in the snow",),
    ("Letters from the front desk",),
    ("The allotment quarrel",),
    ("Apprentices wanted",),
    ("What the flood left",),
    ("The youngest organist",),
    ("Repair instead of buy",),
    ("An island on the ring road",),
    ("The library of seeds",),
    ("Sundays at the depot",),
    ("The bell founders",),
    ("Cycling to the border",),
    ("A hospital garden opens",),
    ("Who paints the benches",),
    ("The price of a parking space",),
    ("Fog on the airfield",),
    ("A chess club for everybody",),
    ("The river in numbers",),
)

register(
    "articles",
    ("editorial-planning",),
    Sheet(
        "article",
        "articles",
        (18, 34),
        (
            ident("article_no", "article number", "T{}|AR-{}", (100, 900), 3),
            given("headline", "name", "headline", 0),
            ref("author_no", "author number", "by author {}"),
            enum(
                "section",
                "section",
                ("town", "culture", "nature", "sport", "food"),
                said="in the section {}",
            ),
            when("due_on", "due date", lambda d: d.world.day(-40, 15)),
            count("words", "number of words", (180, 2400), "words", unique=True),
            amount("fee", "fee", lambda d: d.money(d.near(d["words"] * 0.31, 0.12))),
            enum(
                "state",
                "state",
                {
                    "planned": "that are planned",
                    "writing": "that are being written|in the state writing",
                    "edited": "that are edited",
                    "published": "that are published",
                },
                make=lambda d: d.pick(
                    *(
                        ("published", "published", "edited")
                        if d["due_on"] < d.world.today
                        else ("planned", "planned", "writing", "writing", "edited")
                    )
                ),
            ),
        ),
        TOPICS,
    ),
    Sheet(
        "author",
        "authors",
        (5, 9),
        (
            ident("author_no", "author number", "AU{}|W-{}", (10, 90), 5),
            who("author", "author name", 1),
            enum(
                "contract",
                "kind of contract",
                ("staff", "freelance", "guest"),
                said="of the kind {}",
            ),
            place("based_in", "home town", 5, "from {}"),
        ),
    ),
)

register(
    "ad-bookings",
    ("editorial-planning", "sales-reporting"),
    Sheet(
        "advertisement",
        "advertisements",
        (18, 44),
        (
            ident("ad_no", "advertisement number", "AD{}|Z-{}", (200, 900), 4),
            when("runs_on", "date of publication", lambda d: d.world.day(-45, 60)),
            ref("client_no", "client number", "of client {}"),
            enum(
                "format",
                "format",
                ("full page", "half page", "quarter page", "small ad", "banner"),
                said="in the format {}",
            ),
            count("millimetres", "height", (20, 430), "mm", unique=True),
            amount("price", "price", lambda d: d.money(d.near(d["millimetres"] * 2.9, 0.18))),
            enum(
                "artwork",
                "artwork",
                {
                    "received": "whose artwork is received",
                    "missing": "whose artwork is missing",
                    "faulty": "whose artwork is faulty",
                },
                (6, 3, 1.5),
            ),
            flag("paid", "paid", 0.55, "that are paid", "that are not paid"),
        ),
    ),
    Sheet(
        "client",
        "clients",
        (6, 10),
        (
            ident("client_no", "client number", "AC{}|C-{}", (100, 900), 13),
            who("client", "client name", 10),
            enum(
                "trade",
                "trade",
                ("food", "crafts", "health", "culture", "cars"),
                said="in the trade {}",
            ),
            amount("discount", "discount", (2, 20), "%", 1),
        ),
    ),
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
    "podcast-episodes",
    ("audio-video-production",),
    Sheet(
        "episode",
        "episodes",
        (18, 34),
        (
            ident("episode_no", "episode number", "EP{}|E-{}", (1, 160), 1),
            given("title", "name", "title", 0),
            ref("series_code", "series code", "of series {}"),
            day("released_on", "date of release", 420, 5),
            amount("length", "length", (8, 74), "min", 1),
            count("downloads", "number of downloads", (90, 9200), unique=True),
            enum(
                "format",
                "format",
                ("interview", "feature", "round table", "reading"),
                said="in the format {}",
            ),
            flag("transcript", "transcript", 0.5, "with a transcript", "without a transcript"),
        ),
        TOPICS,
    ),
    Sheet(
        "series",
        "series",
        (3, 5),
        (
            code("series_code", "series code"),
            given("series", "name", "series title", 1),
            who("presenter", "presenter", 17),
            amount("sponsor_fee", "sponsor fee per episode", (40, 480)),
        ),
        (
            ("PA", "Around the Corner"),
            ("PB", "Second Helping"),
            ("PC", "Notes from Below"),
            ("PD", "The Slow Hour"),
            ("PE", "Workbench"),
        ),
    ),
)

register(
    "recording-sessions",
    ("audio-video-production", "event-bookings"),
    Sheet(
        "recording",
        "recordings",
        (18, 44),
        (
            ident("recording_no", "recording number", "RC{}|TK-{}", (100, 900), 2),
            moment("starts_at", "start", 30, -12, (8, 20), 15),
            ref("studio_code", "studio code", "in studio {}"),
            staff("engineer", "sound engineer", 4, "with {} as sound engineer"),
            amount("hours", "length", lambda d: d.between(0.5, 7.5, 2), "h", 2),
            count("takes", "number of takes", (1, 58)),
            amount("cost", "cost", lambda d: d.near(d["hour_price"] * d["hours"], 0.05)),
            enum(
                "material",
                "material",
                ("speech", "choir", "band", "foley", "voice-over"),
                said="of the material {}",
            ),
        ),
    ),
    Sheet(
        "studio",
        "studios",
        (3, 5),
        (
            code("studio_code", "studio code"),
            given("studio", "name", "studio name", 1),
            amount("hour_price", "price per hour", (28, 120)),
            count("channels", "number of channels", lambda d: d.pick(8, 16, 24, 32, 48)),
        ),
        (
            ("ST-A", "Cellar"),
            ("ST-B", "Chapel"),
            ("ST-C", "Booth"),
            ("ST-D", "Barn"),
            ("ST-E", "Glass Room"),
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
            enum("line", "product line", ("home", "workshop", "garden"), said="in the line {}"),
        ),
        (
            ("PX10", "cordless drill"),
            ("PX20", "belt sander"),
            ("PX30", "hedge trimmer"),
            ("PX40", "kettle"),
            ("PX50", "steam iron"),
            ("PX60", "hand mixer"),
            ("PX70", "leaf blower"),
        ),
    ),
)
