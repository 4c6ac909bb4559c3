"""Leisure: journeys, school trips, hikes, films."""

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
