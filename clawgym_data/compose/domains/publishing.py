"""Publishing: articles, advertisements, podcasts, recordings."""

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
