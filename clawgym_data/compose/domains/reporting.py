"""Reporting to the public: surveys, interviews, traffic, reports of citizens."""

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
    who,
)

register(
    "survey-answers",
    ("survey-analysis", "public-statistics"),
    Sheet(
        "answer",
        "answers",
        (26, 60),
        (
            ident("answer_no", "answer number", "A{}|R-{}", (100, 900), 1),
            moment("sent_at", "time of sending", 25, 1, (7, 22)),
            ref("group_code", "group code", "from group {}"),
            count(
                "satisfaction",
                "satisfaction",
                lambda d: d.pick(1, 2, 3, 3, 4, 4, 4, 5, 5),
                "points of 5",
            ),
            count("seconds", "time for the questionnaire", (64, 1450), "s", unique=True),
            enum(
                "would_return",
                "intention to come back",
                {
                    "surely": "that say surely|with the intention surely",
                    "perhaps": "that say perhaps|with the intention perhaps",
                    "hardly": "that say hardly|with the intention hardly",
                },
                (5, 4, 2),
            ),
            flag("complete", "complete", 0.85, "that are complete", "that are incomplete"),
            text(
                "comment",
                "comment",
                (
                    "friendly people at the desk",
                    "signs were hard to find",
                    "too little shade, nice otherwise",
                    "I would come by train if I could",
                    "waited quite long",
                    "toilets were clean, thank you",
                    "more benches, please",
                    "the map was out of date",
                    "children loved it",
                    "too loud near the stage",
                    "prices are fair",
                    "no comment",
                ),
            ),
        ),
    ),
    Sheet(
        "group",
        "groups",
        (4, 6),
        (
            code("group_code", "group code"),
            given("group_name", "name", "group name", 1),
            given("channel", "category", "channel", 2, "reached by {}"),
            count("invited", "number invited", (60, 900), "persons", unique=True),
        ),
        (
            ("V1", "day visitors", "poster"),
            ("V2", "overnight guests", "mail"),
            ("V3", "residents", "letter"),
            ("V4", "shopkeepers", "mail"),
            ("V5", "pupils", "poster"),
            ("V6", "season ticket holders", "letter"),
        ),
    ),
)


register(
    "interviews",
    ("survey-analysis", "field-studies"),
    Sheet(
        "interview",
        "interviews",
        (18, 42),
        (
            ident("interview_no", "interview number", "I{}|IV-{}", (10, 300), 1),
            moment("held_at", "time of the interview", 50, 2, (9, 19), 5),
            ref("interviewer_no", "interviewer number", "held by interviewer {}"),
            place("district", "district", 5, "in {}"),
            enum(
                "age_group",
                "age group",
                ("under 30", "30 to 49", "50 to 69", "70 and over"),
                said="with people aged {}|with the age group {}",
            ),
            amount("minutes", "length", (8, 74), "min", 1),
            amount("agreement", "agreement", lambda d: d.near(63, 0.3, 1).min(100), "%", 1),
            enum(
                "outcome",
                "outcome",
                {
                    "complete": "that are complete",
                    "broken off": "that were broken off",
                    "refused": "that were refused",
                },
                (7, 1.5, 2),
            ),
        ),
    ),
    Sheet(
        "interviewer",
        "interviewers",
        (4, 7),
        (
            ident("interviewer_no", "interviewer number", "IN{}|V{}", (10, 90), 6),
            who("interviewer", "interviewer name", 7),
            amount("fee", "fee per interview", (11, 34)),
            enum("language", "language", ("English", "Polish", "Turkish", "Spanish"), said="in {}"),
        ),
    ),
)


register(
    "traffic-counts",
    ("public-statistics", "survey-analysis"),
    Sheet(
        "count",
        "counts",
        (24, 56),
        (
            ident("count_no", "count number", "TC{}|Z-{}", (100, 900), 1),
            moment("begins_at", "beginning", 40, 2, (6, 19), 15),
            ref("spot_code", "spot code", "at spot {}"),
            count("bicycles", "number of bicycles", (4, 420), unique=True),
            count("cars", "number of cars", (20, 1600), unique=True),
            count("pedestrians", "number of pedestrians", (2, 380)),
            enum(
                "weather",
                "weather",
                {"dry": "in dry weather", "rain": "in rain", "frost": "in frost"},
                (7, 3, 1.5),
            ),
            staff("counter", "person who counted", 4, "made by {}"),
        ),
    ),
    Sheet(
        "spot",
        "spots",
        (5, 8),
        (
            code("spot_code", "spot code"),
            given("street", "name", "street", 1),
            given("road_kind", "category", "kind of road", 2, "on a road of the kind {}"),
            count("speed_limit", "speed limit", lambda d: d.pick(20, 30, 30, 50, 50), "km/h"),
        ),
        (
            ("Q1", "Mill Lane", "side street"),
            ("Q2", "Harbour Road", "main road"),
            ("Q3", "School Street", "side street"),
            ("Q4", "Bridge Street", "main road"),
            ("Q5", "Canal Path", "cycle path"),
            ("Q6", "Station Approach", "main road"),
            ("Q7", "Old Rampart", "cycle path"),
            ("Q8", "Cloister Row", "side street"),
        ),
    ),
)


register(
    "citizen-reports",
    ("public-statistics", "data-quality", "customer-support"),
    Sheet(
        "report",
        "reports",
        (22, 52),
        (
            ident("report_no", "report number", "CR{}|M-{}", (500, 5000), 2),
            day("reported_on", "date of the report", 100, 2),
            enum(
                "kind",
                "kind",
                ("pothole", "street light", "litter", "playground", "tree", "noise"),
                said="of the kind {}",
            ),
            ref("ward_code", "ward code", "from ward {}"),
            count(
                "days_open",
                "days open",
                lambda d: d.whole(0, min(60, max(2, d.age("reported_on")))),
                "days",
            ),
            amount("cost", "cost", (15, 3800)),
            enum(
                "state",
                "state",
                {
                    "new": "that are new",
                    "assigned": "that are assigned",
                    "mended": "that are mended|already mended",
                    "declined": "that were declined",
                },
                (2, 3, 6, 1.5),
            ),
            flag("photo", "photo", 0.5, "with a photo", "without a photo"),
        ),
    ),
    Sheet(
        "ward",
        "wards",
        (4, 6),
        (
            code("ward_code", "ward code"),
            given("ward", "name", "ward name", 1),
            count("residents", "number of residents", (2100, 19000), unique=True),
            who("contact", "contact person", 13),
        ),
        (
            ("WD1", "Riverside"),
            ("WD2", "Hillfoot"),
            ("WD3", "Old Town"),
            ("WD4", "Eastgate"),
            ("WD5", "Brickfields"),
            ("WD6", "Meadows"),
        ),
    ),
)
