"""Staff, records and buildings: shifts, absences, contracts, case files, repairs."""

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
    place,
    ref,
    register,
    staff,
    text,
    when,
    who,
)

STAFF_FIELDS = (
    who("employee", "name"),
    enum(
        "team",
        "team",
        ("front office", "kitchen", "care", "technical", "cleaning"),
        said="in the team {}|of the team {}",
    ),
)


register(
    "shifts",
    ("staff-rostering", "payroll-timesheets"),
    Sheet(
        "shift",
        "shifts",
        (24, 56),
        (
            ident("shift_no", "shift number", "S{}|D-{}", (1000, 7000), 2),
            day("worked_on", "date", 34, 2),
            ref("staff_no", "staff number", "worked by {}|of the person with staff number {}"),
            enum(
                "kind",
                "kind of shift",
                {
                    "early": "in the early hours|of the kind early",
                    "late": "in the late hours|of the kind late",
                    "night": "at night|of the kind night",
                },
                (4, 4, 2),
            ),
            amount("hours", "hours worked", lambda d: d.between(3, 10, 2), "h", 2),
            count("break_minutes", "break", lambda d: d.pick(0, 15, 30, 45, 60), "min"),
            flag("swapped", "swapped", 0.2, "that were swapped", "that were not swapped"),
            enum(
                "station",
                "station",
                ("desk", "kitchen", "hall", "till", "store room"),
                said="at the station {}",
            ),
        ),
    ),
    Sheet(
        "staff member",
        "staff members",
        (7, 12),
        (
            ident("staff_no", "staff number", "P{}|N-{}", (100, 700), 8),
            *STAFF_FIELDS,
            amount("hourly_wage", "hourly wage", (15, 34)),
            count(
                "contract_hours",
                "weekly hours by contract",
                lambda d: d.pick(12, 20, 24, 30, 35, 38),
                "h",
            ),
        ),
    ),
)


register(
    "absences",
    ("staff-rostering", "payroll-timesheets"),
    Sheet(
        "absence",
        "absences",
        (16, 40),
        (
            ident("absence_no", "absence number", "AB{}|A-{}", (200, 900), 3),
            ref("staff_no", "staff number", "of the person with staff number {}"),
            day("first_day", "first day", 260, 12),
            hidden("length", lambda d: d.whole(0, 11)),
            when(
                "last_day", "last day", lambda d: d.after("first_day", d["_length"], d["_length"])
            ),
            enum(
                "reason",
                "reason",
                {
                    "leave": "for leave",
                    "sickness": "because of sickness",
                    "training": "for training",
                    "parental leave": "for parental leave",
                },
                (5, 4, 2, 1),
            ),
            amount(
                "hours",
                "working hours missed",
                lambda d: d.near((d["_length"] + 1) * 22, 0.15, 0) / 4,
                "h",
            ),
            flag("approved", "approved", 0.8, "that are approved", "that are not approved"),
            staff("deputy", "deputy", 5, "with {} as deputy"),
        ),
    ),
    Sheet(
        "staff member",
        "staff members",
        (7, 12),
        (
            ident("staff_no", "staff number", "P{}|N-{}", (100, 700), 8),
            *STAFF_FIELDS,
            count(
                "leave_entitlement", "leave entitlement", lambda d: d.pick(24, 26, 28, 30), "days"
            ),
        ),
    ),
)


register(
    "contract-register",
    ("records-management", "facilities-purchasing", "budget-control"),
    Sheet(
        "contract",
        "contracts",
        (16, 40),
        (
            ident("contract_no", "contract number", "V{}|CT-{}", (100, 900), 4),
            enum(
                "subject",
                "subject",
                (
                    "cleaning",
                    "lift maintenance",
                    "telephone",
                    "printing",
                    "lease",
                    "insurance",
                    "waste",
                ),
                said="on the subject of {}|about {}",
            ),
            ref("partner_no", "partner number", "with partner {}"),
            day("signed_on", "date of signature", 1500, 30),
            when("ends_on", "end date", lambda d: d.after("signed_on", 700, 2200, None)),
            count("notice_weeks", "period of notice", lambda d: d.pick(4, 6, 8, 12, 26), "weeks"),
            amount("yearly_cost", "yearly cost", (180, 26000)),
            flag(
                "original_on_file",
                "original on file",
                0.7,
                "with the original on file",
                "without the original on file",
            ),
        ),
    ),
    Sheet(
        "partner",
        "partners",
        (5, 9),
        (
            ident("partner_no", "partner number", "G{}|PA-{}", (10, 90), 7),
            who("contact", "contact person", 6),
            place("seat", "seat", 6, "in {}|with their seat in {}"),
            enum("rating", "rating", ("good", "fair", "poor"), (5, 3, 1)),
        ),
    ),
)


register(
    "case-files",
    ("records-management", "data-quality"),
    Sheet(
        "case file",
        "case files",
        (20, 50),
        (
            ident("file_no", "file number", "AZ-{}|CF{}", (1000, 8000), 11),
            day("opened_on", "opening date", 1600, 100),
            when("closed_on", "closing date", lambda d: d.after("opened_on", 20, 420)),
            ref("class_code", "class code", "in class {}|of class {}"),
            count("sheets", "number of sheets", (4, 780), "sheets", unique=True),
            enum("shelf", "shelf", ("A1", "A2", "B1", "B3", "C2"), said="on shelf {}"),
            enum(
                "medium",
                "medium",
                {
                    "paper": "on paper|kept on paper",
                    "scan": "that are scanned|kept as scans",
                    "both": "kept both on paper and as scans",
                },
                (5, 3, 2),
            ),
            staff("clerk", "clerk", 5, "kept by {}"),
        ),
    ),
    Sheet(
        "class",
        "classes",
        (5, 7),
        (
            code("class_code", "class code"),
            given("class_title", "name", "title of the class", 1),
            count("years_kept", "retention period", lambda d: d.entry[2], "years"),
        ),
        (
            ("K10", "personnel", 10),
            ("K20", "building permits", 30),
            ("K30", "complaints", 5),
            ("K40", "contracts", 12),
            ("K50", "minutes", 25),
            ("K60", "invoices", 8),
            ("K70", "events", 3),
        ),
    ),
)


register(
    "building-repairs",
    ("facilities-purchasing", "front-office"),
    Sheet(
        "repair",
        "repairs",
        (18, 42),
        (
            ident("repair_no", "repair number", "RP{}|W-{}", (300, 900), 3),
            day("reported_on", "date of the report", 170, 4),
            ref("spot_id", "spot code", "at spot {}"),
            enum(
                "trade",
                "trade",
                ("plumbing", "electrics", "carpentry", "painting", "heating", "locks"),
                said="in the trade {}|for {}",
            ),
            amount("cost", "cost", (18, 2400)),
            amount("hours", "working hours", (0.25, 19), "h", 2),
            enum(
                "state",
                "state",
                {
                    "reported": "that are only reported so far|in the state reported",
                    "ordered": "that are ordered",
                    "done": "that are done|already done",
                },
                (2, 3, 6),
            ),
            text(
                "remark",
                "remark",
                (
                    "drips at night",
                    "third time this year",
                    "key at the desk",
                    "only in the mornings, please",
                    "spare part from the cellar",
                    "guarantee may still apply",
                    "tenant was not at home",
                    "ladder needed",
                    "see photo from the caretaker",
                    "wall must dry first",
                ),
            ),
        ),
    ),
    Sheet(
        "spot",
        "spots",
        (6, 9),
        (
            code("spot_id", "spot code"),
            given("spot", "name", "spot", 1),
            given("wing", "category", "wing", 2, "in the {}"),
        ),
        (
            ("N-01", "north entrance", "north wing"),
            ("N-12", "washroom", "north wing"),
            ("N-15", "server room", "north wing"),
            ("S-02", "canteen", "south wing"),
            ("S-07", "workshop", "south wing"),
            ("S-11", "boiler room", "south wing"),
            ("E-03", "seminar room", "east wing"),
            ("E-09", "roof terrace", "east wing"),
            ("E-10", "archive", "east wing"),
        ),
    ),
)
