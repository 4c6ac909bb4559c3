"""Books: loans, acquisitions, a collection at home."""

from clawgym_data.compose.domains.sheets import (
    Sheet,
    amount,
    code,
    count,
    day,
    enum,
    given,
    ident,
    ref,
    register,
    when,
    who,
)

BOOKS = (
    ("The Clockmaker's Daughter-in-Law", "novel"),
    ("Rivers of the Middle Plain", "geography"),
    ("Baking with Rye", "cookery"),
    ("A Short History of Rope", "history"),
    ("Bees for Beginners", "nature"),
    ("The Winter Lighthouse", "novel"),
    ("Knots and Splices", "crafts"),
    ("Statistics without Tears", "science"),
    ("Letters from the Salt Road", "history"),
    ("Tuesday's Detective", "crime"),
    ("The Empty Ferry", "crime"),
    ("Mushrooms of Wet Woods", "nature"),
    ("Looms and Weavers", "crafts"),
    ("The Grammar of Gardens", "nature"),
    ("Seven Uncles", "novel"),
    ("Murder at the Weir", "crime"),
    ("Bridges of Stone", "history"),
    ("Light, Shade, Colour", "art"),
    ("The Child's Atlas", "geography"),
    ("Soup for Forty", "cookery"),
    ("Stars over the Yard", "science"),
    ("The Glass Engraver", "novel"),
    ("Paper Theatre", "art"),
    ("Railways in the Hills", "history"),
    ("How Cheese Is Made", "cookery"),
    ("The Second Violin", "novel"),
    ("Geology on Foot", "science"),
    ("A Key in the Fog", "crime"),
    ("Drawing Hands", "art"),
    ("Moorland Walks", "geography"),
    ("The Lamp Thief", "crime"),
    ("Woodcuts", "art"),
)


register(
    "library-loans",
    ("literature-library",),
    Sheet(
        "loan",
        "loans",
        (22, 54),
        (
            ident("loan_no", "loan number", "L{}|AUS-{}", (2000, 9000), 5),
            day("lent_on", "date of the loan", 75, 2),
            when("due_on", "due date", lambda d: d.after("lent_on", 28, 28, None)),
            ref("reader_no", "reader number", "of reader {}"),
            ref("shelf_mark", "shelf mark", "of the book with the shelf mark {}"),
            count("renewals", "number of renewals", lambda d: d.pick(0, 0, 0, 1, 1, 2, 3)),
            enum(
                "state",
                "state",
                {
                    "out": "that are still out",
                    "returned": "that are returned",
                    "overdue": "that are marked overdue",
                },
                (4, 5, 2),
            ),
            amount("fee", "fee", (0.2, 14)),
        ),
    ),
    Sheet(
        "reader",
        "readers",
        (8, 13),
        (
            ident("reader_no", "reader number", "RD{}|N{}", (300, 5000), 41),
            who("reader", "reader name"),
            enum(
                "card",
                "kind of card",
                ("adult", "child", "student", "institution"),
                (5, 3, 3, 1),
                said="with a card of the kind {}",
            ),
        ),
    ),
    Sheet(
        "book",
        "books",
        (9, 14),
        (
            ident("shelf_mark", "shelf mark", "Bk-{}|F{}", (100, 800), 17),
            given("title", "name", "title", 0),
            given("subject", "category", "subject", 1, "on the subject {}"),
            count("pages", "number of pages", (80, 640), unique=True),
        ),
        BOOKS,
    ),
)


register(
    "acquisitions",
    ("literature-library", "archives-collections"),
    Sheet(
        "acquisition",
        "acquisitions",
        (18, 30),
        (
            ident("order_no", "order number", "AQ{}|BE-{}", (100, 900), 3),
            day("ordered_on", "order date", 200, 6),
            given("title", "name", "title", 0),
            given("subject", "category", "subject", 1, "on the subject {}"),
            ref("shop_code", "bookshop code", "from the bookshop with the code {}"),
            count("copies", "number of copies", lambda d: d.pick(1, 1, 1, 2, 2, 3, 5)),
            amount("price", "price", lambda d: d.money(d.between(9, 46)) * d["copies"]),
            enum(
                "state",
                "state",
                {
                    "ordered": "that are still on order|in the state ordered",
                    "received": "that are received but not catalogued|in the state received",
                    "catalogued": "that are catalogued",
                    "cancelled": "that were cancelled",
                },
                (3, 3, 5, 1.5),
            ),
        ),
        BOOKS,
    ),
    Sheet(
        "bookshop",
        "bookshops",
        (3, 5),
        (
            code("shop_code", "bookshop code"),
            who("bookseller", "bookseller", 5),
            given("kind_of_shop", "category", "kind of shop", 1, "of the kind {}"),
            amount("discount", "discount", (2, 15), "%", 1),
        ),
        (
            ("BS1", "local shop"),
            ("BS2", "second-hand shop"),
            ("BS3", "importer"),
            ("BS4", "publisher"),
            ("BS5", "local shop"),
        ),
    ),
)


register(
    "book-collection",
    ("travel-leisure", "self-study"),
    Sheet(
        "book",
        "books",
        (20, 30),
        (
            ident("book_no", "book number", "B{}|K-{}", (1, 300), 3),
            given("title", "name", "title", 0),
            given("subject", "category", "subject", 1, "on the subject {}"),
            count("pages", "number of pages", (76, 720), unique=True),
            ref("shelf_code", "shelf code", "on shelf {}"),
            amount("price", "price", (3, 48)),
            enum(
                "reading_state",
                "reading state",
                {
                    "read": "that I have read|already read",
                    "unread": "that are unread",
                    "half read": "that are half read",
                    "lent out": "that are lent out",
                },
                (5, 4, 2, 1.5),
            ),
            day("bought_on", "date of purchase", 2500, 20),
        ),
        BOOKS,
    ),
    Sheet(
        "shelf",
        "shelves",
        (3, 5),
        (
            code("shelf_code", "shelf code"),
            given("room", "category", "room", 1, "in the {}"),
            count("metres", "length", (60, 320), "cm", unique=True),
        ),
        (
            ("SH1", "hall"),
            ("SH2", "study"),
            ("SH3", "bedroom"),
            ("SH4", "study"),
            ("SH5", "kitchen"),
        ),
    ),
)
