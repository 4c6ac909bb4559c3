"""Home and leisure: money, training, journeys, kitchen, garden."""

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

register(
    "travel-bookings",
    ("travel-leisure", "expense-claims"),
    Sheet(
        "booking",
        "bookings",
        (14, 34),
        (
            ident("booking_no", "booking number", "B{}|TRV{}", (1000, 9000), 83),
            enum(
                "kind",
                "kind",
                {
                    "train": "for trains",
                    "hotel": "for hotels",
                    "ferry": "for ferries",
                    "museum": "for museums",
                    "bus": "for buses",
                },
                (5, 4, 1.6, 2, 2),
            ),
            place("town", "town", 6, "in {}|for {}"),
            when("date", "date", lambda d: d.world.day(-120, -4)),
            ref("traveller_no", "traveller number", "of the traveller with the number {}"),
            amount(
                "price",
                "price",
                lambda d: d.money(
                    d.near(
                        {"train": 48, "hotel": 210, "ferry": 64, "museum": 17, "bus": 12}[
                            d["kind"]
                        ],
                        0.33,
                    )
                ),
            ),
            enum(
                "state",
                "state",
                {
                    "confirmed": "that are confirmed",
                    "requested": "that are only requested",
                    "cancelled": "that were cancelled",
                },
                (7, 3, 1.6),
            ),
            flag("refundable", "refundable", 0.5, "that are refundable", "that are not refundable"),
        ),
    ),
    Sheet(
        "traveller",
        "travellers",
        (4, 7),
        (
            ident("traveller_no", "traveller number", "T{}|P{}", (1, 40), 2),
            who("traveller", "name", 1),
            enum(
                "rail_card",
                "rail card",
                ("half fare", "senior card", "no card"),
                said="with the rail card {}",
            ),
            count("age", "age", (7, 82), "years", unique=True),
        ),
    ),
)

register(
    "school-trips",
    ("travel-leisure", "course-teaching"),
    Sheet(
        "trip",
        "trips",
        (14, 32),
        (
            ident("trip_no", "trip number", "ST{}|K-{}", (10, 300), 2),
            when("goes_on", "date", lambda d: d.world.day(-110, -3)),
            ref("class_code", "class code", "of class {}"),
            place("destination", "destination", 6, "to {}"),
            count("pupils", "number of pupils", lambda d: d.whole(14, 31)),
            amount("cost", "total cost", lambda d: d.money(d.near(d["pupils"] * 13, 0.35))),
            enum(
                "transport",
                "transport",
                {
                    "train": "by train",
                    "coach": "by coach",
                    "bicycle": "by bicycle",
                    "on foot": "on foot",
                },
                (4, 4, 2, 2),
            ),
            flag(
                "consent_complete",
                "consent complete",
                0.6,
                "with all consent forms",
                "with consent forms missing",
            ),
        ),
    ),
    Sheet(
        "class",
        "classes",
        (5, 8),
        (
            code("class_code", "class code"),
            who("class_teacher", "class teacher", 6),
            given("year", "category", "year", 1, "in {}"),
            amount("class_fund", "class fund", (20, 460)),
        ),
        (
            ("5a", "year five"),
            ("5b", "year five"),
            ("6a", "year six"),
            ("7a", "year seven"),
            ("7c", "year seven"),
            ("8b", "year eight"),
            ("9a", "year nine"),
            ("9d", "year nine"),
        ),
    ),
)

register(
    "hikes",
    ("travel-leisure", "training-wellbeing"),
    Sheet(
        "hike",
        "hikes",
        (18, 42),
        (
            ident("hike_no", "hike number", "H{}|W-{}", (1, 200), 2),
            day("walked_on", "date", 700, 6),
            ref("area_code", "area code", "in the area with the code {}"),
            amount("distance", "distance", (4, 31), "km", 1),
            count("climb", "climb", (40, 1650), "m", unique=True),
            count("walkers", "number of walkers", (2, 19)),
            enum(
                "weather",
                "weather",
                {"sun": "in the sun", "cloud": "under clouds", "rain": "in the rain"},
                (5, 4, 2),
            ),
            staff("guide", "guide", 4, "led by {}"),
        ),
    ),
    Sheet(
        "area",
        "areas",
        (4, 6),
        (
            code("area_code", "area code"),
            given("area", "name", "area", 1),
            given("map_sheet", "category", "map sheet", 2, "on the map sheet {}"),
            amount("fare", "fare to get there", (3, 26)),
        ),
        (
            ("HA", "upper valley", "north"),
            ("HB", "heath", "north"),
            ("HC", "limestone ridge", "south"),
            ("HD", "lake shore", "south"),
            ("HE", "border forest", "east"),
            ("HF", "vineyards", "east"),
        ),
    ),
)

RECIPES = (
    ("lentil stew", "main course"),
    ("potato salad", "side dish"),
    ("rye bread", "baking"),
    ("plum cake", "baking"),
    ("barley soup", "soup"),
    ("baked trout", "main course"),
    ("cabbage rolls", "main course"),
    ("beetroot soup", "soup"),
    ("semolina pudding", "dessert"),
    ("onion tart", "baking"),
    ("carrot soup", "soup"),
    ("bean salad", "side dish"),
    ("apple crumble", "dessert"),
    ("cheese dumplings", "main course"),
    ("pumpkin risotto", "main course"),
    ("nut braid", "baking"),
    ("cucumber salad", "side dish"),
    ("poppy seed roll", "baking"),
    ("mushroom ragout", "main course"),
    ("rhubarb fool", "dessert"),
    ("pea soup", "soup"),
    ("red cabbage", "side dish"),
    ("fish pie", "main course"),
    ("buckwheat pancakes", "dessert"),
    ("leek gratin", "main course"),
    ("elderflower jelly", "dessert"),
    ("spelt rolls", "baking"),
    ("chickpea curry", "main course"),
)

register(
    "recipes",
    ("kitchen-garden",),
    Sheet(
        "recipe",
        "recipes",
        (18, 28),
        (
            ident("recipe_no", "recipe number", "R{}|RZ-{}", (1, 200), 2),
            given("recipe", "name", "recipe name", 0),
            given("course", "category", "course", 1, "of the course {}"),
            ref("source_code", "source code", "from the source with the code {}"),
            count("minutes", "cooking time", (12, 190), "min", unique=True),
            count("servings", "number of servings", lambda d: d.pick(2, 4, 4, 6, 8, 12)),
            amount("cost", "cost of the ingredients", (2, 31)),
            flag(
                "vegetarian", "vegetarian", 0.65, "that are vegetarian", "that are not vegetarian"
            ),
        ),
        RECIPES,
    ),
    Sheet(
        "source",
        "sources",
        (3, 5),
        (
            code("source_code", "source code"),
            given("source", "name", "source", 1),
            given("language", "category", "language", 2, "in {}"),
            count("pages", "number of pages", (24, 420), unique=True),
        ),
        (
            ("Q1", "grandmother's notebook", "German"),
            ("Q2", "market leaflet", "English"),
            ("Q3", "canteen folder", "English"),
            ("Q4", "island cookbook", "Danish"),
            ("Q5", "bakers' almanac", "German"),
        ),
    ),
)

PANTRY = (
    ("rye flour", "kg", 2),
    ("spelt flour", "kg", 2),
    ("sugar", "kg", 1),
    ("red lentils", "kg", 3),
    ("rice", "kg", 2),
    ("oats", "kg", 1),
    ("pasta", "pack", 2),
    ("tomatoes, tinned", "tin", 1),
    ("chickpeas", "tin", 1),
    ("olive oil", "bottle", 9),
    ("vinegar", "bottle", 3),
    ("honey", "jar", 6),
    ("plum jam", "jar", 4),
    ("pickled beetroot", "jar", 3),
    ("mustard", "jar", 2),
    ("coffee", "pack", 7),
    ("black tea", "pack", 4),
    ("apple juice", "bottle", 2),
    ("walnuts", "pack", 5),
    ("raisins", "pack", 3),
    ("yeast", "pack", 1),
    ("candles", "pack", 4),
    ("matches", "pack", 1),
    ("salt", "pack", 1),
    ("cocoa", "pack", 4),
    ("sardines", "tin", 2),
)

register(
    "pantry",
    ("kitchen-garden", "household-budget"),
    Sheet(
        "item",
        "items",
        (16, 26),
        (
            ident("item_no", "item number", "V{}|I{}", (1, 200), 2),
            given("item", "name", "item name", 0),
            given("unit", "category", "unit", 1, "measured by the {}"),
            ref("shelf_code", "shelf code", "on the shelf with the code {}"),
            amount("stock", "stock", (0.5, 14), "", 1),
            amount("price", "price per unit", lambda d: d.money(d.near(d.entry[2], 0.25))),
            when("best_before", "best-before date", lambda d: d.world.day(-500, 25)),
            flag(
                "on_list",
                "on the shopping list",
                0.3,
                "that are on the shopping list",
                "that are not on the shopping list",
            ),
        ),
        PANTRY,
    ),
    Sheet(
        "shelf",
        "shelves",
        (3, 5),
        (
            code("shelf_code", "shelf code"),
            given("shelf", "name", "shelf", 1),
            given("room", "category", "room", 2, "in the {}"),
            count("jars", "number of jars", (3, 60), unique=True),
        ),
        (
            ("S1", "top shelf", "kitchen"),
            ("S2", "cool shelf", "cellar"),
            ("S3", "long shelf", "cellar"),
            ("S4", "door rack", "kitchen"),
            ("S5", "crate", "garage"),
        ),
    ),
)

register(
    "harvest",
    ("kitchen-garden",),
    Sheet(
        "harvest",
        "harvests",
        (22, 50),
        (
            ident("entry_no", "entry number", "H{}|E-{}", (1, 300), 1),
            day("picked_on", "date", 130, 2),
            enum(
                "crop",
                "crop",
                ("beans", "courgettes", "potatoes", "carrots", "apples", "currants"),
                said="of {}",
            ),
            ref("bed_code", "bed code", "from the bed with the code {}"),
            amount("weight", "weight", (0.2, 19), "kg", 2),
            count("minutes", "time taken", (5, 160), "min"),
            enum(
                "use",
                "use",
                {
                    "eaten": "that were eaten",
                    "stored": "that were stored",
                    "given away": "that were given away",
                    "composted": "that were composted",
                },
                (5, 4, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "bed",
        "beds",
        (4, 6),
        (
            code("bed_code", "bed code"),
            given("bed", "name", "bed", 1),
            amount("area", "area", (2, 21), "m²", 1),
            enum("light", "light", ("full sun", "half shade", "shade"), said="in {}"),
        ),
        (
            ("B1", "south bed"),
            ("B2", "long bed"),
            ("B3", "raised bed"),
            ("B4", "hedge strip"),
            ("B5", "orchard"),
            ("B6", "cold frame"),
        ),
    ),
)

register(
    "beehives",
    ("kitchen-garden",),
    Sheet(
        "inspection",
        "inspections",
        (18, 40),
        (
            ident("inspection_no", "inspection number", "I{}|BH-{}", (10, 400), 1),
            day("inspected_on", "date", 140, 3),
            ref("hive_code", "hive code", "of the hive with the code {}"),
            count("frames", "number of brood frames", (2, 11)),
            amount("weight", "weight", (14, 62), "kg", 1),
            count("mites", "number of mites", (0, 46)),
            enum(
                "temper",
                "temper",
                {
                    "calm": "on which the bees were calm",
                    "restless": "on which the bees were restless",
                    "stinging": "on which the bees were stinging",
                },
                (6, 3, 1.6),
            ),
            flag(
                "queen_seen",
                "queen seen",
                0.6,
                "on which the queen was seen",
                "on which the queen was not seen",
            ),
        ),
    ),
    Sheet(
        "hive",
        "hives",
        (4, 7),
        (
            code("hive_code", "hive code"),
            given("stand", "category", "stand", 1, "at the stand {}"),
            count("queen_year", "year of the queen", lambda d: d.world.today.year - d.whole(0, 3)),
            amount("honey", "honey so far", (1, 38), "kg", 1),
        ),
        (
            ("HV1", "orchard"),
            ("HV2", "orchard"),
            ("HV3", "roof"),
            ("HV4", "lime avenue"),
            ("HV5", "roof"),
            ("HV6", "heath"),
            ("HV7", "lime avenue"),
        ),
    ),
)

register(
    "film-diary",
    ("travel-leisure",),
    Sheet(
        "showing",
        "showings",
        (16, 26),
        (
            ident("entry_no", "entry number", "K{}|F{}", (1, 400), 1),
            day("seen_on", "date", 500, 2),
            given("film", "name", "film title", 0),
            ref("cinema_code", "cinema code", "at the cinema with the code {}"),
            amount("ticket_price", "ticket price", lambda d: d.near(d["usual_price"], 0.16)),
            count("minutes", "length", (64, 190), "min", unique=True),
            enum(
                "verdict",
                "verdict",
                {
                    "loved": "that I loved",
                    "liked": "that I liked",
                    "endured": "that I only endured",
                },
                (3, 5, 2),
            ),
        ),
        (
            ("Salt Lanterns",),
            ("The Understudy's Coat",),
            ("A Bus to Nowhere",),
            ("Glass Weather",),
            ("The Beekeeper's Trial",),
            ("Eight Chairs",),
            ("Mandarin Peel",),
            ("The Ice Clerk",),
            ("Roads by Night",),
            ("The Paper Bride",),
            ("Hotel Meridian, Room 4",),
            ("Tin Orchestra",),
            ("The Longest Lunch",),
            ("Wolves at Noon",),
            ("A Borrowed Field",),
            ("Saturday's Diver",),
            ("The Typist",),
            ("Green Staircase",),
            ("Father's Accordion",),
            ("Half Moon Pier",),
            ("The Weather House",),
            ("Ink and Iron",),
            ("Little Surgeons",),
            ("The Cold Spring",),
            ("Umbrella Row",),
            ("Ferns",),
        ),
    ),
    Sheet(
        "cinema",
        "cinemas",
        (3, 5),
        (
            code("cinema_code", "cinema code"),
            given("cinema", "name", "cinema", 1),
            amount("usual_price", "usual price", (6, 14)),
            count("seats", "number of seats", (44, 480), unique=True),
        ),
        (
            ("CA", "Lantern"),
            ("CB", "Old Depot"),
            ("CC", "Capitol Corner"),
            ("CD", "Garden Screen"),
            ("CE", "Studio 9"),
        ),
    ),
)
