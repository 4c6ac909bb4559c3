"""Reporting: surveys, meters, vehicles, traffic, records to clean."""

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
    hidden,
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
    "meter-readings",
    ("operations-reporting", "household-budget", "facilities-purchasing"),
    Sheet(
        "reading",
        "readings",
        (22, 54),
        (
            ident("reading_no", "reading number", "MR{}|ZS-{}", (1000, 7000), 1),
            day("read_on", "date of the reading", 240, 4),
            ref("meter_no", "meter number", "of meter {}"),
            amount("consumption", "consumption", lambda d: d.near(d["_usual"], 0.28, 1), "kWh", 1),
            amount("cost", "cost", lambda d: d.money(d.near(float(d["consumption"]) * 0.29, 0.03))),
            enum(
                "method",
                "method of reading",
                {
                    "on site": "taken on site",
                    "estimated": "that are estimated",
                    "remote": "taken remotely",
                },
                (5, 2, 4),
            ),
            staff("reader", "reader", 3, "taken by {}"),
            flag("checked", "checked", 0.7, "that are checked", "that are not checked"),
        ),
    ),
    Sheet(
        "meter",
        "meters",
        (5, 8),
        (
            ident("meter_no", "meter number", "MT{}|E-{}", (400, 900), 23),
            enum(
                "building",
                "building",
                ("main house", "workshop", "greenhouse", "garage", "annexe"),
                said="in the {}",
            ),
            day("installed_on", "date of installation", 4200, 500),
            hidden("usual", lambda d: d.whole(120, 1900)),
        ),
    ),
)

register(
    "vehicle-log",
    ("operations-reporting", "expense-claims"),
    Sheet(
        "trip",
        "trips",
        (22, 54),
        (
            ident("trip_no", "trip number", "TR{}|F-{}", (1000, 6000), 2),
            moment("left_at", "time of departure", 28, 1, (5, 19)),
            ref("vehicle_no", "vehicle number", "with vehicle {}"),
            staff("driver", "driver", 5, "driven by {}"),
            place("destination", "destination", 7, "to {}"),
            amount("distance", "distance", (3, 310), "km", 1),
            amount(
                "fuel", "fuel used", lambda d: d.near(float(d["distance"]) * 0.085, 0.14), "l", 2
            ),
            enum(
                "purpose",
                "purpose",
                {
                    "delivery": "for deliveries",
                    "service call": "for service calls",
                    "transfer": "for transfers",
                    "private": "for private use|that were private",
                },
                (5, 4, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "vehicle",
        "vehicles",
        (4, 7),
        (
            ident("vehicle_no", "vehicle number", "KFZ-{}|V{}", (1, 60), 4),
            enum(
                "model",
                "model",
                ("small van", "box van", "estate car", "pick-up"),
                said="of the model {}",
            ),
            amount("monthly_lease", "monthly lease", (190, 720)),
            when("inspection_due", "date of the next inspection", lambda d: d.world.day(-300, -5)),
            count("mileage", "mileage", (9000, 180000), "km", unique=True),
        ),
    ),
)

register(
    "cold-store",
    ("operations-reporting", "data-quality"),
    Sheet(
        "measurement",
        "measurements",
        (26, 60),
        (
            ident("entry_no", "entry number", "CS{}|T-{}", (2000, 9000), 1),
            moment("taken_at", "time of measurement", 9, 1, (0, 23), 10),
            ref("chamber_id", "chamber code", "from chamber {}"),
            amount("temperature", "temperature", lambda d: d.between(1.1, 9.4, 2), "°C", 2),
            amount(
                "humidity", "humidity", lambda d: d.near(78, 0.09, 1).min(100), "%", 1, unique=False
            ),
            count("door_openings", "number of door openings", (0, 46)),
            enum(
                "alarm",
                "alarm",
                {
                    "no alarm": "without an alarm",
                    "warning": "with a warning",
                    "critical": "with a critical alarm",
                },
                (8, 3, 1.5),
            ),
        ),
    ),
    Sheet(
        "chamber",
        "chambers",
        (4, 6),
        (
            code("chamber_id", "chamber code"),
            given("goods", "category", "goods", 1, "holding {}"),
            amount("upper_limit", "upper limit", lambda d: d.between(3, 8, 1), "°C", 1),
            count("pallets", "number of pallets", (12, 140), unique=True),
        ),
        (
            ("K1", "dairy"),
            ("K2", "fruit"),
            ("K3", "meat"),
            ("K4", "flowers"),
            ("K5", "dairy"),
            ("K6", "vaccines"),
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
            ident("report_no", "report number", "CR{}|M-{}|{y}-R{}", (500, 5000), 2),
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

register(
    "address-records",
    ("data-quality", "records-management"),
    Sheet(
        "record",
        "records",
        (22, 32),
        (
            ident("record_id", "record number", "AD{}|REC-{}", (1000, 9000), 17),
            who("person", "name"),
            Field(
                "email",
                "text",
                "mail address",
                lambda d: (
                    d.world.email(d["person"]).split("@")[0]
                    + d.pick("@example.net", "@example.com", "@example.org")
                ),
            ),
            place("town", "town", 7, "in {}"),
            ref("source_code", "source code", "from source {}"),
            day("changed_on", "date of the last change", 900, 5),
            count("orders", "number of orders", (1, 46)),
            amount("turnover", "turnover", (20, 5200)),
        ),
    ),
    Sheet(
        "source",
        "sources",
        (3, 5),
        (
            code("source_code", "source code"),
            given("source", "name", "source", 1),
            enum(
                "trust", "trustworthiness", ("high", "medium", "low"), said="of {} trustworthiness"
            ),
            amount("error_rate", "error rate", (0.2, 9), "%", 2),
        ),
        (
            ("SRC1", "web form"),
            ("SRC2", "phone desk"),
            ("SRC3", "old system"),
            ("SRC4", "trade fair"),
            ("SRC5", "partner list"),
        ),
    ),
)

register(
    "import-batches",
    ("data-quality", "data-tooling"),
    Sheet(
        "batch",
        "batches",
        (20, 46),
        (
            ident("batch_no", "batch number", "B{}|IMP-{}", (300, 3000), 1),
            moment("loaded_at", "time of loading", 25, 1, (0, 23)),
            ref("feed_code", "feed code", "of feed {}"),
            count("rows_read", "rows read", (120, 48000), "rows", unique=True),
            count(
                "rows_rejected",
                "rows rejected",
                lambda d: int(d.near(d["rows_read"] / 60, 0.35, 0)),
                "rows",
            ),
            amount(
                "seconds", "running time", lambda d: d.near(d["rows_read"] / 210, 0.25, 1), "s", 1
            ),
            enum(
                "state",
                "state",
                {
                    "loaded": "that are loaded",
                    "partly loaded": "that are partly loaded",
                    "failed": "that failed",
                },
                (7, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "feed",
        "feeds",
        (4, 6),
        (
            code("feed_code", "feed code"),
            given("feed", "name", "feed name", 1),
            given("format", "category", "format", 2, "in the format {}"),
            staff("owner", "owner", 4, "owned by {}"),
        ),
        (
            ("FD-1", "prices", "csv"),
            ("FD-2", "stations", "json"),
            ("FD-3", "patients", "xml"),
            ("FD-4", "weather", "json"),
            ("FD-5", "parcels", "csv"),
            ("FD-6", "contracts", "xlsx"),
        ),
    ),
)
