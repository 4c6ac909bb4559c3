"""The office: visitors, permits, lost property, rooms, action items."""

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
    ref,
    register,
    staff,
    text,
    when,
    who,
)

register(
    "visitors",
    ("front-office",),
    Sheet(
        "visit",
        "visits",
        (18, 44),
        (
            ident("visit_no", "visit number", "V{}|B-{}", (300, 4000), 2),
            moment("arrived_at", "time of arrival", 21, 1, (8, 17)),
            ref("host_id", "host number", "to host {}"),
            enum(
                "purpose",
                "purpose",
                {
                    "meeting": "for a meeting",
                    "delivery": "for a delivery",
                    "repair": "for a repair",
                    "interview": "for a job interview|for an interview",
                    "tour": "for a tour of the house",
                },
                (5, 3, 2, 2, 2),
            ),
            count("minutes", "length of stay", (5, 235), "min", unique=True),
            count("persons", "number of persons", (1, 6)),
            flag(
                "badge_returned",
                "badge returned",
                0.85,
                "whose badge was returned",
                "whose badge was not returned",
            ),
        ),
    ),
    Sheet(
        "host",
        "hosts",
        (6, 10),
        (
            ident("host_id", "host number", "H{}|E{}", (10, 80), 5),
            who("host", "host name", 4),
            enum(
                "department",
                "department",
                ("accounts", "personnel", "technical", "management", "school office"),
                said="in the department {}",
            ),
            enum(
                "floor",
                "floor",
                ("ground floor", "first floor", "second floor", "third floor"),
                said="on the {}",
            ),
        ),
    ),
)


register(
    "parking-permits",
    ("front-office", "public-statistics", "records-management"),
    Sheet(
        "permit",
        "permits",
        (18, 46),
        (
            ident("permit_no", "permit number", "P{}|PP-{}", (1000, 6000), 5),
            day("issued_on", "date of issue", 330, 5),
            when("expires_on", "expiry date", lambda d: d.after("issued_on", 30, 400, None)),
            ref("zone_id", "zone code", "for zone {}|in zone {}"),
            enum(
                "holder",
                "kind of holder",
                {
                    "resident": "held by residents",
                    "trade": "held by trades|for trades",
                    "care service": "held by care services",
                    "guest": "for guests",
                },
                (6, 3, 2, 3),
            ),
            amount("fee", "fee", lambda d: d.near(d["monthly_rate"] * d.whole(1, 12), 0.05)),
            count("visits_checked", "number of checks", (0, 18)),
        ),
    ),
    Sheet(
        "zone",
        "zones",
        (4, 6),
        (
            code("zone_id", "zone code"),
            given("district", "category", "district", 1, "in the district {}"),
            count("spaces", "number of spaces", (40, 420), unique=True),
            amount("monthly_rate", "monthly rate", (9, 38)),
        ),
        (
            ("Z1", "old town"),
            ("Z2", "station quarter"),
            ("Z3", "harbour"),
            ("Z4", "hospital hill"),
            ("Z5", "mill quarter"),
            ("Z6", "north side"),
        ),
    ),
)


register(
    "lost-property",
    ("front-office", "customer-support"),
    Sheet(
        "found item",
        "found items",
        (18, 40),
        (
            ident("find_no", "find number", "L{}|F-{}", (200, 900), 2),
            day("found_on", "date of the find", 140, 2),
            text(
                "description",
                "description",
                (
                    "black umbrella, wooden handle",
                    "child's mitten, left hand",
                    "silver ring with an engraving",
                    "folding bicycle helmet",
                    "blue rucksack, two books inside",
                    "reading glasses in a red case",
                    "bunch of four keys",
                    "phone with a cracked screen",
                    "woollen scarf, grey",
                    "lunch box with stickers",
                    "violin bow in a tube",
                    "thermos flask, dented",
                    "wrist watch, leather strap",
                    "sports bag with wet towel",
                    "sun hat, size 56",
                    "hearing aid in a small box",
                ),
            ),
            enum(
                "kind",
                "kind",
                ("clothing", "keys", "bags", "electronics", "jewellery", "other things"),
                said="of the kind {}",
            ),
            ref("place_id", "place code", "found at place {}"),
            amount("estimated_value", "estimated value", (2, 260)),
            enum(
                "state",
                "state",
                {
                    "waiting": "that are still waiting for their owner",
                    "collected": "that were collected|already collected",
                    "given away": "that were given away",
                },
                (5, 4, 2),
            ),
            staff("taken_by", "person who took it in", 4, "taken in by {}"),
        ),
    ),
    Sheet(
        "place",
        "places",
        (5, 7),
        (
            code("place_id", "place code"),
            given("place", "name", "place of the find", 1),
            given("building", "category", "building", 2, "in the {}"),
        ),
        (
            ("E1", "entrance hall", "main building"),
            ("E2", "cloakroom", "main building"),
            ("E3", "stairwell", "main building"),
            ("S1", "sports hall", "annexe"),
            ("S2", "changing room", "annexe"),
            ("C1", "café", "courtyard house"),
            ("C2", "terrace", "courtyard house"),
        ),
    ),
)


register(
    "room-bookings",
    ("meeting-coordination", "front-office", "event-bookings"),
    Sheet(
        "booking",
        "bookings",
        (18, 46),
        (
            ident("booking_id", "booking number", "B{}|RB-{}", (1000, 5000), 3),
            moment("starts_at", "start", 12, -25, (8, 18), 15),
            ref("room_id", "room number", "in room {}"),
            staff("booked_by", "person who booked", 6, "booked by {}|by {}"),
            enum(
                "occasion",
                "occasion",
                ("team meeting", "training", "interview", "client visit", "committee", "rehearsal"),
                said="for the occasion {}",
            ),
            count("attendees", "number of attendees", (2, 40), unique=False),
            amount("hours", "length", lambda d: d.between(0.5, 8, 2), "h", 2),
            flag("catering", "catering", 0.35, "with catering", "without catering"),
        ),
    ),
    Sheet(
        "room",
        "rooms",
        (5, 8),
        (
            code("room_id", "room number"),
            given("room", "name", "room name", 1),
            given("floor", "category", "floor", 2, "on the {}"),
            count("seats", "number of seats", (6, 90), unique=True),
            amount("hourly_rate", "hourly rate", (12, 95)),
        ),
        (
            ("R-001", "Linden", "ground floor"),
            ("R-004", "Foyer", "ground floor"),
            ("R-101", "Maple", "first floor"),
            ("R-102", "Alder", "first floor"),
            ("R-108", "Birch", "first floor"),
            ("R-203", "Hazel", "second floor"),
            ("R-205", "Rowan", "second floor"),
            ("R-207", "Attic studio", "second floor"),
        ),
    ),
)


ACTIONS = (
    "ask three firms for an offer",
    "send the minutes round",
    "find a date with the architect",
    "renew the entry in the register",
    "write to the neighbours",
    "check the guarantee of the lift",
    "order name badges",
    "collect questions for the survey",
    "prepare the tour of the site",
    "update the emergency numbers",
    "draft the invitation",
    "clear the cupboard on the second floor",
    "compare two cleaning contracts",
    "book the hall for the summer party",
    "translate the leaflet",
    "sum up the feedback",
)


register(
    "action-items",
    ("meeting-coordination", "grants-tenders", "self-study"),
    Sheet(
        "action item",
        "action items",
        (16, 40),
        (
            ident("item_no", "item number", "T{}|AI-{}", (10, 400), 2),
            ref("meeting_id", "meeting number", "from meeting {}"),
            text("task", "task", ACTIONS),
            staff("owner", "owner", 6, "that {} owns|owned by {}"),
            day("_agreed_on", "", 90, 4),
            when("due_on", "due date", lambda d: d.after("_agreed_on", 5, 60, None)),
            enum(
                "priority",
                "priority",
                {
                    "high": "of high priority",
                    "medium": "of medium priority",
                    "low": "of low priority",
                },
                (2, 4, 3),
            ),
            enum(
                "state",
                "state",
                {
                    "open": "that are still open",
                    "done": "that are done",
                    "waiting": "that wait for somebody else|in the state waiting",
                },
                (4, 4, 2),
            ),
            amount("estimated_hours", "estimated effort", (0.5, 24), "h", 1),
        ),
    ),
    Sheet(
        "meeting",
        "meetings",
        (4, 7),
        (
            ident("meeting_id", "meeting number", "M{}|J-{}", (20, 90), 2),
            enum(
                "body",
                "body",
                (
                    "building committee",
                    "steering group",
                    "works council",
                    "editorial board",
                    "safety circle",
                ),
                said="of the {}",
            ),
            who("chair", "chair", 9),
        ),
    ),
)
