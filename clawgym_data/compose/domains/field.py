"""Outdoors: birds, plants, water levels."""

from clawgym_data.compose.domains.sheets import (
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    given,
    hidden,
    ident,
    moment,
    place,
    ref,
    register,
    staff,
)

SPECIES = (
    ("GT", "great tit", "garden bird", 4),
    ("RB", "robin", "garden bird", 2),
    ("BB", "blackbird", "garden bird", 3),
    ("ML", "mallard", "water bird", 14),
    ("GC", "great crested grebe", "water bird", 4),
    ("CT", "coot", "water bird", 19),
    ("KF", "kingfisher", "water bird", 2),
    ("BZ", "buzzard", "bird of prey", 2),
    ("KS", "kestrel", "bird of prey", 2),
    ("LW", "lapwing", "wader", 11),
    ("SN", "snipe", "wader", 5),
    ("YH", "yellowhammer", "field bird", 6),
    ("SK", "skylark", "field bird", 8),
)


register(
    "bird-counts",
    ("field-studies",),
    Sheet(
        "sighting",
        "sightings",
        (24, 58),
        (
            ident("obs_no", "observation number", "O{}|B{}", (1000, 8000), 2),
            moment("seen_at", "time of the sighting", 60, 1, (5, 20)),
            ref("species_code", "species code", "of the species with the code {}"),
            enum(
                "plot",
                "plot",
                ("reed belt", "orchard", "heath", "gravel pit", "river meadow"),
                said="in the plot {}",
            ),
            count("birds", "number of birds", lambda d: max(1, int(d.near(d["_usual"], 0.6, 0)))),
            amount("distance", "distance", (4, 420), "m", 1),
            enum(
                "weather",
                "weather",
                ("clear", "overcast", "drizzle", "fog"),
                (5, 4, 2, 1),
                said="in weather described as {}",
            ),
            staff("observer", "observer", 5, "made by {}"),
        ),
    ),
    Sheet(
        "species",
        "species",
        (7, 11),
        (
            code("species_code", "species code"),
            given("species", "category", "species", 1, "of the species {}"),
            given("guild", "category", "guild", 2, "of the guild {}"),
            hidden("usual", lambda d: d.entry[3]),
        ),
        SPECIES,
    ),
)


register(
    "plant-plots",
    ("field-studies",),
    Sheet(
        "plant",
        "plants",
        (24, 50),
        (
            ident("plant_no", "plant number", "PL{}|Q{}", (10, 600), 2),
            ref("plot_code", "plot code", "in plot {}"),
            enum(
                "species",
                "species",
                ("yarrow", "ox-eye daisy", "red clover", "ribwort", "meadow sage", "knapweed"),
                said="of the species {}",
            ),
            day("measured_on", "date of measurement", 80, 4),
            amount("height", "height", (2.5, 96), "cm", 1),
            count("flowers", "number of flowers", (0, 48)),
            enum(
                "damage",
                "damage",
                {
                    "unharmed": "that are unharmed",
                    "slugs": "damaged by slugs",
                    "drought": "damaged by drought",
                    "mowing": "damaged by mowing",
                },
                (7, 3, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "plot",
        "plots",
        (4, 6),
        (
            code("plot_code", "plot code"),
            given("treatment", "category", "treatment", 1, "with the treatment {}"),
            amount("moisture", "soil moisture", (8, 44), "%", 1),
            enum("aspect", "aspect", ("north", "south", "east", "west"), said="facing {}"),
        ),
        (
            ("P1", "control"),
            ("P2", "compost"),
            ("P3", "mulch"),
            ("P4", "control"),
            ("P5", "compost"),
            ("P6", "sown strip"),
        ),
    ),
)


register(
    "water-levels",
    ("field-studies", "operations-reporting"),
    Sheet(
        "reading",
        "readings",
        (26, 58),
        (
            ident("reading_no", "reading number", "WR{}|P{}", (1000, 9000), 1),
            moment("read_at", "time of the reading", 14, 1, (0, 23), 15),
            ref("gauge_id", "gauge code", "at gauge {}"),
            amount("level", "water level", lambda d: d.near(d["_mean"], 0.14, 1), "cm", 1),
            amount("flow", "flow", lambda d: d.near(float(d["level"]) * 0.17, 0.12, 2), "m³/s", 2),
            amount(
                "temperature",
                "water temperature",
                lambda d: d.between(4.2, 21, 1),
                "°C",
                1,
                unique=False,
            ),
            enum(
                "quality",
                "quality flag",
                {
                    "good": "of good quality",
                    "estimated": "that are estimated",
                    "suspect": "that are suspect",
                },
                (8, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "gauge",
        "gauges",
        (4, 6),
        (
            code("gauge_id", "gauge code"),
            given("river", "category", "river", 1, "on the {}"),
            count("alarm_level", "alarm level", lambda d: d.pick(280, 310, 330, 350, 380), "cm"),
            place("town", "town", 6, "near {}"),
            hidden("mean", lambda d: d.whole(120, 300)),
        ),
        (
            ("PG1", "Alder Brook"),
            ("PG2", "Alder Brook"),
            ("PG3", "Long Water"),
            ("PG4", "Long Water"),
            ("PG5", "Mill Race"),
            ("PG6", "Stone Beck"),
        ),
    ),
)
