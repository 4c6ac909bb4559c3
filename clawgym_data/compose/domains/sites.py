"""Sites and vehicles: meters, trips, cold stores."""

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
    when,
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
