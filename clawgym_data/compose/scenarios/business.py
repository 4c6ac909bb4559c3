"""Office and administration, finance and bookkeeping, sales and customers."""

from clawgym_data.compose.scenario import Subcategory, subcategory

OFFICE, FINANCE, SALES = "office-administration", "finance-bookkeeping", "sales-customers"
PRODUCTIVITY, SYSTEMS = "productivity-collaboration", "systems-automation"
ANALYSIS, PLANNING = "analysis-reasoning", "planning-knowledge"

for entry in (
    Subcategory(
        "front-office",
        OFFICE,
        PRODUCTIVITY,
        ("receptionist", "office assistant", "caretaker", "porter", "front desk lead"),
        ("{place} Town Hall", "{name} Business Centre", "{place} Campus", "{place} Civic Centre"),
        (
            "before the front desk closes",
            "for the handover to the next shift",
            "for the weekly talk with the caretaker",
            "before I go on leave",
            "for the notice board",
            "because the office manager asked me",
        ),
        {"draft-messages": 1.5, "filter-rows": 1.3, "read-messages": 1.4},
        (
            "Sits at the front desk of {organisation}, where everything that nobody else wants to "
            "write down ends up in a list.",
            "{role} at {organisation}; shares the desk with {colleague}, and both of them rely on "
            "the same few lists.",
            "Has run the reception of {organisation} in {place} for eleven years and knows every "
            "visitor by name, but not every formula of a spreadsheet.",
            "Came to {organisation} in spring and still finds out how the lists of the house are "
            "meant to be kept.",
        ),
    ),
    Subcategory(
        "meeting-coordination",
        OFFICE,
        PRODUCTIVITY,
        ("executive assistant", "team assistant", "committee secretary", "project coordinator"),
        ("{name} Architects", "{place} Chamber of Crafts", "{name} Foundation", "{name} Transport"),
        (
            "for the next team meeting",
            "before the invitations go out",
            "so that I can prepare the minutes",
            "for the chair of the committee",
            "before the rooms are given to others",
            "for the project board",
        ),
        {"schedule-events": 2.0, "draft-messages": 1.6, "track-tasks": 1.8, "manage-contacts": 1.4},
        (
            "Keeps the calendars of four partners at {organisation} apart and the meeting rooms "
            "free of surprises.",
            "{role} at {organisation} in {place}. After each meeting the loose ends land on this "
            "desk.",
            "Plans the meetings of the {team} team and of three others at {organisation}, and "
            "follows up on what was promised there.",
            "Took over the coordination from {colleague} last month, together with a folder full "
            "of half-kept lists.",
        ),
    ),
    Subcategory(
        "staff-rostering",
        OFFICE,
        PRODUCTIVITY,
        ("shift planner", "ward coordinator", "store manager", "duty officer", "pool manager"),
        ("{place} Day Clinic", "Café {name}", "{place} Swimming Baths", "{name} Bakeries"),
        (
            "before I post the new roster",
            "for the talk with the staff council",
            "for the personnel file",
            "before the month is closed",
            "so that nobody is planned twice",
            "for the deputy who fills in for me",
        ),
        {"schedule-events": 1.6, "compute-aggregates": 1.3, "follow-policy": 1.5},
        (
            "Plans the shifts at {organisation} and hears about every gap in them first.",
            "{role} at {organisation}, with twenty people to place, three of them part-time and "
            "one always ill.",
            "Writes the roster for {organisation} in {place} by hand, then checks it with whatever "
            "tool is at hand.",
            "Shares the planning with {colleague}; they meet once a week to straighten it out.",
        ),
    ),
    Subcategory(
        "records-management",
        OFFICE,
        SYSTEMS,
        ("records clerk", "registry officer", "document controller", "school secretary"),
        (
            "{place} Land Registry",
            "{name} Notaries",
            "{place} District Archive",
            "{name} & Partners",
        ),
        (
            "for the yearly tidy-up of the registry",
            "before the old cabinets are emptied",
            "for the audit of our files",
            "for the handover to the archive",
            "because the shared drive is nearly full",
            "so that the auditors find what they look for",
        ),
        {
            "find-files": 2.2,
            "organise-files": 2.5,
            "archive-files": 2.2,
            "compare-files": 2.0,
            "automate-shell": 1.4,
        },
        (
            "Looks after the registry of {organisation}: what must be kept, for how long, and "
            "where it is.",
            "{role} at {organisation}. Paper is still the rule there, but the lists are files by "
            "now.",
            "Inherited three shared folders from {colleague} and brings order into them, one "
            "letter of the alphabet at a time.",
            "Is the one at {organisation} whom everybody asks where a document has gone.",
        ),
    ),
    Subcategory(
        "facilities-purchasing",
        OFFICE,
        PRODUCTIVITY,
        ("facility manager", "purchasing clerk", "storekeeper", "site manager"),
        (
            "{name} Conference House",
            "{place} Hospital",
            "{place} Vocational College",
            "{name} Labs",
        ),
        (
            "before the next order goes out",
            "for the walk through the building",
            "for the yearly stocktaking",
            "before the contract is renewed",
            "for my talk with the supplier",
            "so that purchasing can go ahead",
        ),
        {"filter-rows": 1.3, "sort-rank": 1.3, "derive-values": 1.3, "track-tasks": 1.3},
        (
            "Keeps the buildings of {organisation} running, from door handles to boilers.",
            "{role} at {organisation}; what runs out or breaks there is noted in a list before it "
            "is forgotten.",
            "Buys everything that {organisation} in {place} uses up, from paper to floor polish, "
            "on a budget that never grows.",
            "Has a storeroom in the cellar, a phone that never stops, and {colleague} for help "
            "in the mornings.",
        ),
    ),
    Subcategory(
        "invoice-processing",
        FINANCE,
        PRODUCTIVITY,
        ("accounts clerk", "bookkeeper", "office manager", "accounts payable assistant"),
        ("{name} Joinery", "{place} Printing Works", "{name} Dental Practice", "{name} & Sons"),
        (
            "before the next payment run",
            "for the tax adviser",
            "for the monthly closing",
            "before I send out reminders",
            "for my talk with the bank",
            "so that nothing is paid twice",
        ),
        {"compute-aggregates": 1.5, "filter-rows": 1.4, "detect-anomalies": 1.8},
        (
            "Does the books of {organisation} two days a week and wants them to be right the first "
            "time.",
            "{role} at {organisation} in {place}. The invoices come in by post, by mail and on the "
            "back of delivery notes.",
            "Checks what {organisation} owes and what others owe {organisation}, line by line.",
            "Stands in for {colleague}, who usually does the accounts, and treads carefully.",
        ),
    ),
    Subcategory(
        "expense-claims",
        FINANCE,
        PRODUCTIVITY,
        ("travel desk clerk", "accounts assistant", "team assistant", "finance officer"),
        ("{name} Consulting", "{place} Theatre", "{name} Engineering", "{place} Relief Fund"),
        (
            "before the claims are paid out",
            "for the approval by my manager",
            "for the monthly closing",
            "because the auditors take samples",
            "for the project's cost statement",
            "before the card statement arrives",
        ),
        {"follow-policy": 2.0, "detect-anomalies": 1.5, "compute-aggregates": 1.3},
        (
            "Settles the expenses of everybody who travels for {organisation}, receipts in an "
            "envelope included.",
            "{role} at {organisation}; knows the expenses policy by heart and is not loved for it.",
            "Works through the claims of the {team} team and of all the others once a week.",
            "Pays out what the staff of {organisation} laid out, and asks back when a receipt is "
            "missing.",
        ),
    ),
    Subcategory(
        "budget-control",
        FINANCE,
        ANALYSIS,
        ("controller", "finance lead", "treasurer", "department manager", "budget officer"),
        ("{place} Public Works", "{name} Group", "{place} Children's Museum", "{name} Care Homes"),
        (
            "for the budget meeting",
            "for the quarterly review",
            "before the next year is planned",
            "for the board",
            "so that I can explain the difference",
            "for the finance committee",
        ),
        {"compute-aggregates": 2.0, "derive-values": 1.8, "reshape-data": 1.5, "sort-rank": 1.3},
        (
            "Watches where the money of {organisation} goes and must be able to say why.",
            "{role} at {organisation} in {place}, whose committee asks short questions and wants "
            "short answers.",
            "Compares what was planned with what was spent at {organisation}, month after month.",
            "Took on the figures of {organisation} when {colleague} retired, and keeps to the old "
            "columns.",
        ),
    ),
    Subcategory(
        "grants-tenders",
        FINANCE,
        PLANNING,
        ("grants officer", "tender manager", "fundraiser", "managing director", "bid writer"),
        ("{place} Nature Trust", "{name} Foundation", "{name} Civil Works", "{place} Youth Centre"),
        (
            "before the next deadline",
            "for the meeting of the trustees",
            "for the yearly report to the funders",
            "so that we know what to apply for",
            "for the bid team",
            "before we sign anything",
        ),
        {"track-tasks": 1.6, "follow-policy": 1.6, "schedule-events": 1.6, "write-prose": 1.4},
        (
            "Writes the applications of {organisation} and keeps count of what came of them.",
            "{role} at {organisation}. Deadlines are this job's weather.",
            "Follows every tender and every grant that {organisation} could win, with {colleague} "
            "checking the sums.",
            "Has to know at any time what {organisation} was promised, by whom and until when.",
        ),
    ),
    Subcategory(
        "payroll-timesheets",
        FINANCE,
        PRODUCTIVITY,
        ("payroll clerk", "personnel officer", "site foreman", "practice manager"),
        ("{name} Landscaping", "{place} Ambulance Service", "{name} Roofing", "{name} Studios"),
        (
            "before the wages are paid",
            "for the payroll office",
            "before the timesheets are locked",
            "for the works council",
            "for the talk about overtime",
            "so that the hours are right this time",
        ),
        {"compute-aggregates": 1.7, "join-tables": 1.5, "derive-values": 1.4, "follow-policy": 1.4},
        (
            "Turns the timesheets of {organisation} into wages that nobody complains about.",
            "{role} at {organisation} in {place}; the hours come in on paper, on phones and by "
            "hearsay.",
            "Counts hours, breaks and overtime for {organisation}, and explains them to "
            "{colleague}.",
            "Does the payroll of a small crew besides everything else.",
        ),
    ),
    Subcategory(
        "order-handling",
        SALES,
        PRODUCTIVITY,
        ("order desk clerk", "sales assistant", "shop manager", "dispatch clerk", "shop owner"),
        ("{name} Interiors", "{place} Home Supply", "{name} Furnishings", "{place} Living"),
        (
            "for the weekly order round",
            "before the warehouse closes",
            "for my boss",
            "before the van is loaded",
            "so that the customers get an answer",
            "for the supplier's next delivery",
        ),
        {"filter-rows": 1.3, "join-tables": 1.4, "draft-messages": 1.3},
        (
            "Takes the orders of {organisation} and sees to it that they leave the house.",
            "{role} at {organisation}, a shop of nine people in {place} with more orders than "
            "shelves.",
            "Knows the customers of {organisation} by their voices and the orders by their "
            "numbers.",
            "Shares the order desk with {colleague}, who likes to be told things in writing.",
        ),
    ),
    Subcategory(
        "sales-reporting",
        SALES,
        ANALYSIS,
        ("sales analyst", "regional sales lead", "category manager", "export manager"),
        ("{name} & Daughters", "{place} Trading", "{name} Group", "{place} Enterprises"),
        (
            "for the monthly sales meeting",
            "for the quarterly review",
            "for the talk with the regional leads",
            "before the new prices are set",
            "for the owner of the firm",
            "so that I know where to look next",
        ),
        {"compute-aggregates": 2.0, "sort-rank": 1.7, "reshape-data": 1.6, "join-tables": 1.4},
        (
            "Explains the sales figures of {organisation} to people who have two minutes for them.",
            "{role} at {organisation} in {place}; asks of every figure which orders it is made of.",
            "Reports on what {organisation} sells, where and to whom.",
            "Prepares the numbers that {colleague} presents, and is asked about them afterwards.",
        ),
    ),
    Subcategory(
        "customer-support",
        SALES,
        PRODUCTIVITY,
        ("support agent", "help desk lead", "customer adviser", "complaints officer"),
        ("{place} Services", "{name} Direct", "{place} Mobility", "{name} & Co"),
        (
            "for the daily round of the support team",
            "before the night shift takes over",
            "for the weekly quality talk",
            "because several customers asked again",
            "for the manager of the service desk",
            "so that the oldest cases get done",
        ),
        {"read-messages": 2.0, "draft-messages": 1.7, "filter-rows": 1.3, "track-tasks": 1.4},
        (
            "Answers the customers of {organisation} and remembers who has waited longest.",
            "{role} at {organisation}, where complaints arrive faster than spare parts.",
            "Sorts what the customers of {organisation} report and hands on what others must mend.",
            "Runs the service desk in {place} together with {colleague} and two trainees.",
        ),
    ),
    Subcategory(
        "membership-care",
        SALES,
        PRODUCTIVITY,
        ("membership secretary", "club treasurer", "volunteer coordinator", "club chair"),
        (
            "House of Clubs {place}",
            "{place} Neighbours",
            "{place} Association",
            "{place} Community House",
        ),
        (
            "for the general meeting",
            "before the fees are collected",
            "for the next committee meeting",
            "for the newsletter to the members",
            "so that the new treasurer can start",
            "before the season begins",
        ),
        {"manage-contacts": 2.0, "draft-messages": 1.5, "compute-aggregates": 1.2},
        (
            "Keeps the lists of {organisation} in the evenings, after work.",
            "{role} of {organisation}, unpaid and thorough.",
            "Took on the paperwork of {organisation} for one year, six years ago.",
            "Looks after the members of {organisation}; {colleague} looks after the cash box.",
        ),
    ),
    Subcategory(
        "event-bookings",
        SALES,
        PLANNING,
        ("event manager", "box office lead", "hotel manager", "festival organiser", "host"),
        ("{place} Culture House", "{name} Leisure", "{place} Lakeside Centre", "{name} Events"),
        (
            "before the doors open",
            "for the briefing of the crew",
            "for the caterer",
            "for the programme committee",
            "before the next group arrives",
            "so that I can plan the staff",
        ),
        {"schedule-events": 2.2, "manage-contacts": 1.4, "filter-rows": 1.3, "track-tasks": 1.5},
        (
            "Plans what happens at {organisation}, who comes and who pours the coffee.",
            "{role} at {organisation} in {place}; a double booking is the worst that can happen.",
            "Holds the bookings of {organisation} together with a list and a good memory.",
            "Does the planning of {organisation} while {colleague} does the talking.",
        ),
    ),
):
    subcategory(entry)
