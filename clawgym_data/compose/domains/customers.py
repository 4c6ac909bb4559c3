"""Customers and guests: tickets, complaints, stays, shows, boats, films."""

from clawgym_data.compose.domains.sheets import (
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
    "support-tickets",
    ("customer-support", "access-devices", "data-quality"),
    Sheet(
        "ticket",
        "tickets",
        (20, 54),
        (
            ident("ticket_id", "ticket number", "T{}|SUP-{}", (4000, 9000), 3),
            moment("opened_at", "time of opening", 30, 1, (6, 21)),
            ref("contact_id", "contact number", "from contact {}"),
            enum(
                "topic",
                "topic",
                ("billing", "delivery", "login", "damage", "contract", "app"),
                said="about {}|on the topic {}",
            ),
            enum(
                "priority",
                "priority",
                {
                    "low": "of low priority",
                    "normal": "of normal priority",
                    "high": "of high priority",
                    "urgent": "of urgent priority",
                },
                (3, 6, 3, 1.5),
            ),
            enum(
                "status",
                "status",
                {
                    "new": "that are new|nobody has touched yet (status new)",
                    "in progress": "that are in progress",
                    "waiting": "that wait for the customer (status waiting)",
                    "closed": "that are closed",
                },
                (2, 3, 2, 5),
            ),
            count("minutes_worked", "working time", (3, 320), "min", unique=True),
            text(
                "summary",
                "summary",
                (
                    "charged twice for one month",
                    "parcel says delivered, is not there",
                    "password link has expired",
                    "lid arrived broken",
                    "wants to move the contract to a new flat",
                    "app shows an empty page",
                    "asks for a copy of the invoice",
                    "courier rang at the wrong door",
                    "cannot change the mail address",
                    "display flickers after ten minutes",
                    "did not get the promised voucher",
                    "meter number is wrong on the bill",
                    "wants to cancel, then does not",
                    "two accounts for one person",
                ),
            ),
        ),
    ),
    Sheet(
        "contact",
        "contacts",
        (8, 13),
        (
            ident("contact_id", "contact number", "C{}|KD-{}", (200, 5000), 31),
            who("contact", "contact name"),
            place("town", "town", 6, "in {}|from {}"),
            enum(
                "plan",
                "tariff",
                ("basic", "family", "business"),
                (5, 4, 2),
                said="on the tariff {}",
            ),
        ),
    ),
)


register(
    "complaints",
    ("customer-support", "public-statistics"),
    Sheet(
        "complaint",
        "complaints",
        (16, 42),
        (
            ident("complaint_no", "complaint number", "CP{}|B-{}", (100, 900), 2),
            day("received_on", "date of receipt", 120, 3),
            when("answered_on", "date of the answer", lambda d: d.after("received_on", 1, 26)),
            ref("line_no", "line number", "about line {}|on line {}"),
            enum(
                "cause",
                "cause",
                (
                    "delay",
                    "crowding",
                    "driver",
                    "ticket machine",
                    "cleanliness",
                    "missed connection",
                ),
                said="because of {}|with the cause {}",
            ),
            enum(
                "channel",
                "channel",
                {
                    "mail": "that came by mail",
                    "phone": "that came by phone",
                    "letter": "that came by letter",
                    "app": "that came through the app",
                },
                (5, 4, 1.5, 3),
            ),
            amount("compensation", "compensation", (3, 85)),
            flag("upheld", "upheld", 0.55, "that were upheld", "that were not upheld"),
        ),
    ),
    Sheet(
        "line",
        "lines",
        (5, 8),
        (
            ident("line_no", "line number", "L{}|B{}", (2, 30), 9),
            place("terminus", "terminus", 8, "with the terminus {}"),
            enum(
                "vehicle", "kind of vehicle", ("bus", "tram", "ferry"), (5, 3, 1), said="run by {}"
            ),
            count("stops", "number of stops", (9, 44), unique=True),
        ),
    ),
)


register(
    "guest-bookings",
    ("event-bookings",),
    Sheet(
        "stay",
        "stays",
        (18, 46),
        (
            ident("booking_no", "booking number", "GB{}|H-{}", (1000, 6000), 7),
            who("guest", "guest name"),
            ref("room_no", "room number", "in room {}"),
            day("arrives_on", "arrival date", 30, -40),
            hidden("nights", lambda d: d.pick(1, 1, 2, 2, 3, 3, 4, 5, 7)),
            when(
                "leaves_on",
                "departure date",
                lambda d: d.after("arrives_on", d["_nights"], d["_nights"], None),
            ),
            count("guests", "number of guests", (1, 4)),
            amount(
                "total_price", "total price", lambda d: d.near(d["night_rate"] * d["_nights"], 0.04)
            ),
            enum(
                "board",
                "board",
                {
                    "room only": "without board|with room only",
                    "breakfast": "with breakfast",
                    "half board": "with half board",
                },
                (3, 5, 2),
            ),
        ),
    ),
    Sheet(
        "room",
        "rooms",
        (6, 10),
        (
            ident("room_no", "room number", "Z{}|R{}", (101, 105), 3),
            enum(
                "room_type",
                "room type",
                ("single", "double", "family", "suite"),
                (3, 5, 2, 1),
                said="of the type {}",
            ),
            enum("view", "view", ("garden", "lake", "street"), said="with a view of the {}"),
            amount("night_rate", "rate per night", (58, 190)),
        ),
    ),
)


register(
    "ticket-sales",
    ("event-bookings", "sales-reporting"),
    Sheet(
        "sale",
        "sales",
        (22, 56),
        (
            ident("sale_no", "sale number", "TS{}|V{}", (1000, 9000), 4),
            moment("sold_at", "time of sale", 45, 1, (9, 21)),
            ref("event_id", "event code", "for event {}"),
            enum(
                "price_group",
                "price group",
                ("stalls", "circle", "balcony", "standing"),
                said="in the price group {}",
            ),
            count("tickets", "number of tickets", (1, 9)),
            amount("total", "total price", lambda d: d.near(d["tickets"] * d["base_price"], 0.12)),
            enum(
                "channel",
                "channel",
                {
                    "box office": "made at the box office",
                    "online": "made online",
                    "phone": "made by phone",
                },
                (3, 6, 2),
            ),
            flag("reduced", "reduced price", 0.3, "at the reduced price", "at the full price"),
        ),
    ),
    Sheet(
        "event",
        "events",
        (4, 7),
        (
            code("event_id", "event code"),
            given("event", "name", "event", 1),
            given("genre", "category", "genre", 2, "of the genre {}"),
            amount("base_price", "base price", (14, 62)),
        ),
        (
            ("E-01", "String Quartet Evening", "chamber music"),
            ("E-02", "Organ at Noon", "organ"),
            ("E-03", "The Glass Harbour", "theatre"),
            ("E-04", "Brass in the Yard", "brass"),
            ("E-05", "Songs of the North", "choir"),
            ("E-06", "Puppets and Kings", "theatre"),
            ("E-07", "Late Jazz", "jazz"),
        ),
    ),
)


register(
    "festival-entries",
    ("event-bookings", "audio-video-production"),
    Sheet(
        "entry",
        "entries",
        (18, 40),
        (
            ident("entry_no", "entry number", "FF{}|E-{}", (10, 300), 4),
            given("film", "name", "film title", 0),
            who("director", "director", 2),
            ref("section_code", "section code", "in section {}"),
            amount("length", "length", (2.5, 118), "min", 1),
            count("votes", "number of votes", (3, 460), unique=True),
            amount("jury_score", "jury score", lambda d: d.between(3, 9.9, 2), "points", 2),
            enum(
                "decision",
                "decision",
                {
                    "selected": "that are selected",
                    "rejected": "that were rejected",
                    "waiting list": "that are on the waiting list",
                },
                (5, 4, 2),
            ),
        ),
        (
            ("Salt on the Stairs",),
            ("Blue Ladder",),
            ("The Ferryman's Lunch",),
            ("North of Nothing",),
            ("A Room with Bees",),
            ("Paper Boats",),
            ("Second Winter",),
            ("The Long Receipt",),
            ("Kites over the Depot",),
            ("Quiet Engines",),
            ("Grandmother's Radio",),
            ("Eleven Doors",),
            ("Ash and Apple",),
            ("The Tuner",),
            ("Low Tide Letters",),
            ("Half a Bridge",),
            ("Sugar Factory",),
            ("Between Two Bells",),
            ("The Last Tram Home",),
            ("Moss",),
            ("Driving Lessons",),
            ("What the River Kept",),
            ("Borrowed Coats",),
            ("Snow on Tape",),
            ("Night Shift Waltz",),
            ("A Map of the Attic",),
            ("Herring Days",),
            ("Loud Neighbours",),
            ("The Chess Gardener",),
            ("Without Umbrella",),
            ("Copper",),
            ("Milk Teeth",),
            ("Postcards from Work",),
            ("The Understudy",),
            ("Wind from the East",),
            ("Orchard Road",),
        ),
    ),
    Sheet(
        "section",
        "sections",
        (3, 5),
        (
            code("section_code", "section code"),
            given("section", "name", "section", 1),
            who("curator", "curator", 27),
            count("slots", "number of slots", (4, 14), unique=True),
        ),
        (
            ("S-A", "animation"),
            ("S-D", "documentary"),
            ("S-F", "fiction"),
            ("S-X", "experiment"),
            ("S-Y", "young directors"),
        ),
    ),
)


register(
    "boat-rentals",
    ("event-bookings",),
    Sheet(
        "rental",
        "rentals",
        (20, 48),
        (
            ident("rental_no", "rental number", "RN{}|B-{}", (100, 900), 2),
            moment("out_at", "time of departure", 25, 1, (9, 17), 5),
            ref("boat_id", "boat code", "of boat {}"),
            count("persons", "number of persons", (1, 6)),
            amount("hours", "length of the rental", (0.5, 8), "h", 2),
            amount(
                "paid", "price", lambda d: d.near(float(d["hours"]) * float(d["hour_price"]), 0.03)
            ),
            enum(
                "returned",
                "condition on return",
                {
                    "clean": "that came back clean",
                    "dirty": "that came back dirty",
                    "damaged": "that came back damaged",
                },
                (7, 3, 1.5),
            ),
            staff("clerk", "clerk", 3, "handled by {}"),
        ),
    ),
    Sheet(
        "boat",
        "boats",
        (5, 8),
        (
            code("boat_id", "boat code"),
            given("boat", "name", "boat name", 1),
            given("boat_kind", "category", "kind of boat", 2, "of the kind {}"),
            amount("hour_price", "price per hour", (9, 42)),
        ),
        (
            ("B1", "Dipper", "rowing boat"),
            ("B2", "Heron", "rowing boat"),
            ("B3", "Otter", "canoe"),
            ("B4", "Pike", "canoe"),
            ("B5", "Swan", "pedal boat"),
            ("B6", "Grebe", "pedal boat"),
            ("B7", "Kite", "sailing dinghy"),
            ("B8", "Tern", "sailing dinghy"),
        ),
    ),
)
