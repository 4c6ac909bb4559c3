"""Software: tests, reviews, dependencies, bugs, features."""

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

MODULES = (
    ("auth", "sign-in", "platform"),
    ("billing", "billing", "platform"),
    ("search", "search", "web"),
    ("export", "export", "data"),
    ("mailer", "mail sending", "platform"),
    ("maps", "map view", "web"),
    ("reports", "reports", "data"),
    ("sync", "synchronising", "mobile"),
    ("cart", "shopping cart", "web"),
    ("offline", "offline mode", "mobile"),
)


def modules(rows: tuple[int, int] = (5, 8)) -> Sheet:
    """The parts of a program, with who answers for them."""
    return Sheet(
        "module",
        "modules",
        rows,
        (
            code("module", "module"),
            given("purpose", "name", "purpose", 1),
            given("team", "category", "team", 2, "of the team {}"),
            who("maintainer", "maintainer", 4),
            count("lines_of_code", "lines of code", (400, 38000), "lines", unique=True),
        ),
        MODULES,
    )


register(
    "test-runs",
    ("test-quality", "release-management"),
    Sheet(
        "test run",
        "test runs",
        (24, 58),
        (
            ident("run_id", "run number", "R{}|CI-{}|run-{}", (2000, 9000), 3),
            moment("started_at", "start", 14, 1, (0, 23)),
            ref("module", "module", "of the module {}"),
            enum(
                "branch",
                "branch",
                ("main", "release", "feature", "hotfix"),
                (5, 2, 5, 1.5),
                "on the branch {}",
            ),
            count("tests", "number of tests", (38, 1900), unique=True),
            count(
                "failures",
                "number of failures",
                lambda d: d.pick(0, 0, 0, 1, 1, 2, 3, 5, 8, 13) if d.often(0.6) else 0,
            ),
            amount("seconds", "running time", lambda d: d.near(d["tests"] * 0.42, 0.3, 1), "s", 1),
            enum(
                "result",
                "result",
                {
                    "passed": "that passed",
                    "failed": "that failed",
                    "timeout": "that ran into the timeout",
                },
                make=lambda d: (
                    "failed"
                    if d["failures"]
                    else d.pick("passed", "passed", "passed", "passed", "timeout")
                ),
            ),
        ),
    ),
    modules(),
)


register(
    "flaky-tests",
    ("test-quality", "code-maintenance"),
    Sheet(
        "test",
        "tests",
        (18, 44),
        (
            ident("test_id", "test number", "T{}|TEST-{}", (100, 900), 3),
            ref("module", "module", "of the module {}"),
            enum(
                "kind",
                "kind of test",
                {
                    "unit": "of the kind unit",
                    "integration": "of the kind integration",
                    "browser": "of the kind browser",
                },
                (5, 4, 3),
            ),
            count("runs", "number of runs", (40, 900), unique=True),
            amount("failure_rate", "failure rate", (0.2, 31), "%", 2),
            amount("mean_seconds", "mean running time", (0.05, 48), "s", 2),
            day("first_seen", "date of the first failure", 300, 5),
            flag(
                "quarantined",
                "quarantined",
                0.3,
                "that are quarantined",
                "that are not quarantined",
            ),
        ),
    ),
    modules(),
)


register(
    "code-reviews",
    ("code-maintenance", "release-management"),
    Sheet(
        "change",
        "changes",
        (22, 54),
        (
            ident("change_no", "change number", "C{}|PR-{}|MR-{}", (300, 4000), 2),
            moment("opened_at", "time of opening", 45, 1, (7, 20)),
            ref("module", "module", "in the module {}"),
            staff("author", "author", 6, "written by {}"),
            count("lines_changed", "number of changed lines", (2, 1600), unique=True),
            count("comments", "number of comments", (0, 38)),
            amount("hours_to_review", "time to review", (0.3, 140), "h", 1),
            enum(
                "state",
                "state",
                {
                    "open": "that are still open",
                    "merged": "that are merged",
                    "closed": "that were closed without merging",
                    "draft": "that are drafts",
                },
                (3, 7, 1.5, 2),
            ),
        ),
    ),
    modules(),
)


PACKAGES = (
    ("fastparse", "parsing"),
    ("lumenlog", "logging"),
    ("gridplot", "charts"),
    ("tinyqueue", "queues"),
    ("northauth", "security"),
    ("hashwell", "security"),
    ("yamlkin", "parsing"),
    ("datewise", "dates"),
    ("httpfin", "network"),
    ("sockline", "network"),
    ("mapweave", "maps"),
    ("pixeltrim", "images"),
    ("tableau-lite", "charts"),
    ("formcheck", "forms"),
    ("retrykit", "network"),
    ("cachebox", "storage"),
    ("sqlsmith", "storage"),
    ("blobstore", "storage"),
    ("mailgate", "mail"),
    ("cronlet", "queues"),
    ("colourly", "images"),
    ("docpress", "documents"),
    ("sheetful", "documents"),
    ("ziplace", "storage"),
    ("testbench", "tests"),
    ("mockery-lite", "tests"),
    ("argline", "parsing"),
    ("termview", "terminal"),
    ("progressbar-x", "terminal"),
    ("unitwise", "maths"),
    ("matrixkit", "maths"),
    ("tokenring", "security"),
)


register(
    "dependencies",
    ("code-maintenance", "release-management"),
    Sheet(
        "dependency",
        "dependencies",
        (18, 32),
        (
            ident("entry_no", "entry number", "D{}|DEP-{}", (1, 400), 2),
            given("package", "name", "package", 0),
            given("purpose_group", "category", "purpose", 1, "for {}"),
            ref("component", "component", "of the component {}"),
            enum(
                "licence",
                "licence",
                ("MIT", "Apache-2.0", "BSD-3-Clause", "MPL-2.0", "LGPL-3.0"),
                (6, 4, 3, 1.5, 1.5),
                "under the licence {}",
            ),
            count("releases_behind", "releases behind", (0, 24), "releases"),
            amount("size", "installed size", (0.05, 62), "MB", 2),
            day("pinned_on", "date of the last update", 800, 10),
        ),
        PACKAGES,
    ),
    Sheet(
        "component",
        "components",
        (3, 5),
        (
            code("component", "component"),
            given("runtime", "category", "runtime", 1, "running on {}"),
            who("owner", "owner", 18),
            count("deployments", "number of deployments", (2, 60), unique=True),
        ),
        (
            ("web", "Node"),
            ("api", "Python"),
            ("worker", "Python"),
            ("mobile", "Kotlin"),
            ("reports", "Java"),
        ),
    ),
)


register(
    "bug-list",
    ("test-quality", "release-management", "web-api-development"),
    Sheet(
        "bug",
        "bugs",
        (20, 52),
        (
            ident("bug_id", "bug number", "BUG-{}|B{}", (400, 5000), 4),
            day("reported_on", "date of the report", 160, 2),
            ref("module", "module", "in the module {}"),
            enum(
                "severity",
                "severity",
                {
                    "minor": "of minor severity",
                    "major": "of major severity",
                    "critical": "of critical severity",
                },
                (5, 4, 1.8),
            ),
            enum(
                "state",
                "state",
                {
                    "open": "that are still open",
                    "fixed": "that are fixed",
                    "rejected": "that were rejected",
                },
                (4, 5, 2),
            ),
            amount("hours_spent", "hours spent", (0.25, 46), "h", 2),
            count("votes", "number of votes", (0, 70)),
            text(
                "title",
                "title",
                (
                    "date picker skips the last day",
                    "totals off by a cent after refund",
                    "blank page when the list is empty",
                    "umlauts lost in the file name",
                    "session ends during upload",
                    "wrong time zone in the mail",
                    "sort order changes after reload",
                    "cannot remove the second address",
                    "print view cuts the last column",
                    "search ignores hyphens",
                    "spinner never stops",
                    "export contains deleted rows",
                    "tooltip covers the button",
                    "zoom resets on rotation",
                ),
            ),
        ),
    ),
    modules(),
)


register(
    "release-features",
    ("release-management", "product-documentation"),
    Sheet(
        "feature",
        "features",
        (16, 38),
        (
            ident("feature_id", "feature number", "F{}|FT-{}", (100, 900), 5),
            ref("release", "release", "planned for the release {}"),
            enum(
                "area",
                "area",
                ("sign-in", "payments", "maps", "messages", "settings", "accessibility"),
                said="in the area {}",
            ),
            staff("lead", "lead", 5, "led by {}"),
            count("points", "story points", lambda d: d.pick(1, 2, 3, 5, 8, 13)),
            amount("days_left", "remaining work", (0.25, 21), "days", 2),
            enum(
                "state",
                "state",
                {
                    "planned": "that are planned",
                    "in work": "that are in work",
                    "done": "that are done",
                    "postponed": "that are postponed",
                },
                (3, 4, 4, 1.5),
            ),
            flag("documented", "documented", 0.5, "that are documented", "that are not documented"),
        ),
    ),
    Sheet(
        "release",
        "releases",
        (3, 4),
        (
            code("release", "release"),
            when("ships_on", "release date", lambda d: d.world.day(-120, -10)),
            who("manager", "release manager", 19),
            count("testers", "number of testers", (2, 14), unique=True),
        ),
        (("Alder",), ("Birch",), ("Cedar",), ("Dogwood",), ("Elm",)),
    ),
)
