"""Learning: marks, apprentices, study."""

from clawgym_data.compose.domains.sheets import (
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    given,
    ident,
    moment,
    ref,
    register,
    staff,
    when,
    who,
)

register(
    "course-marks",
    ("course-teaching",),
    Sheet(
        "result",
        "results",
        (26, 58),
        (
            ident("entry_no", "entry number", "E{}|RS-{}", (100, 900), 1),
            ref("student_no", "student number", "of student {}"),
            ref("task_code", "assignment code", "in assignment {}"),
            day("handed_in_on", "date of submission", 85, 3),
            amount(
                "points",
                "points",
                lambda d: d.near(d["max_points"] * 0.71, 0.2, 1).min(d["max_points"]),
                "",
                1,
                unique=False,
            ),
            count("words", "length", (220, 3400), "words", unique=True),
            enum(
                "state",
                "state",
                {
                    "marked": "that are marked",
                    "late": "that came late|handed in late",
                    "disputed": "that are disputed",
                },
                (8, 2, 1.5),
            ),
            staff("marker", "marker", 3, "marked by {}"),
        ),
    ),
    Sheet(
        "student",
        "students",
        (9, 14),
        (
            ident("student_no", "student number", "ST{}|{}-A", (2000, 8000), 37),
            who("student", "student name"),
            enum("group", "group", ("group A", "group B", "group C"), said="in {}"),
        ),
    ),
    Sheet(
        "assignment",
        "assignments",
        (4, 6),
        (
            code("task_code", "assignment code"),
            given("assignment", "name", "assignment", 1),
            count(
                "max_points", "maximum of points", lambda d: d.pick(20, 25, 30, 40, 50), "points"
            ),
            amount("share", "share of the mark", lambda d: d.between(5, 30, 1), "%", 1),
        ),
        (
            ("A1", "essay"),
            ("A2", "field report"),
            ("A3", "poster"),
            ("A4", "quiz"),
            ("A5", "group project"),
            ("A6", "oral exam"),
        ),
    ),
)


register(
    "apprentices",
    ("course-teaching", "staff-rostering"),
    Sheet(
        "placement",
        "placements",
        (16, 36),
        (
            ident("placement_no", "placement number", "PM{}|A-{}", (10, 400), 2),
            who("apprentice", "apprentice"),
            ref("workshop_code", "workshop code", "in workshop {}"),
            day("begins_on", "first day", 220, 10),
            when("ends_on", "last day", lambda d: d.after("begins_on", 18, 90, None)),
            count("days_missed", "days missed", (0, 12)),
            amount("average_mark", "average mark", lambda d: d.between(41, 98, 2), "points", 2),
            enum(
                "report_book",
                "report book",
                {
                    "complete": "with a complete report book",
                    "gaps": "with gaps in the report book",
                    "missing": "without a report book|whose report book is missing",
                },
                (6, 3, 1.5),
            ),
        ),
    ),
    Sheet(
        "workshop",
        "workshops",
        (4, 6),
        (
            code("workshop_code", "workshop code"),
            given("workshop", "name", "workshop", 1),
            given("field_of_work", "category", "field of work", 2, "in {}"),
            who("master", "master", 28),
        ),
        (
            ("WS1", "joinery hall", "wood"),
            ("WS2", "turning shop", "metal"),
            ("WS3", "welding bay", "metal"),
            ("WS4", "paint shop", "surfaces"),
            ("WS5", "veneer room", "wood"),
            ("WS6", "electric lab", "electrics"),
        ),
    ),
)


register(
    "study-log",
    ("self-study",),
    Sheet(
        "study session",
        "study sessions",
        (22, 54),
        (
            ident("session_no", "session number", "SS{}|L{}", (1, 300), 1),
            moment("began_at", "start", 45, 1, (7, 21), 5),
            ref("subject_code", "subject code", "for subject {}"),
            count("minutes", "length", (12, 235), "min", unique=True),
            count("pages", "pages read", (1, 58)),
            enum(
                "method",
                "method",
                ("reading", "exercises", "flash cards", "group work", "past papers"),
                said="with the method {}|spent on {}",
            ),
            enum(
                "focus",
                "concentration",
                {
                    "good": "with good concentration",
                    "fair": "with fair concentration",
                    "poor": "with poor concentration",
                },
                (4, 4, 2),
            ),
        ),
    ),
    Sheet(
        "subject",
        "subjects",
        (4, 6),
        (
            code("subject_code", "subject code"),
            given("subject", "name", "subject", 1),
            when("exam_on", "exam date", lambda d: d.world.day(-70, -15)),
            count("credits", "credits", lambda d: d.pick(3, 4, 5, 6, 8)),
        ),
        (
            ("MA", "mathematics"),
            ("PH", "physics"),
            ("LA", "labour law"),
            ("AC", "accounting"),
            ("MT", "materials"),
            ("EN", "English"),
        ),
    ),
)
