"""Kitchen and garden: recipes, pantry, harvest, bees."""

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
    ref,
    register,
    when,
)

RECIPES = (
    ("lentil stew", "main course"),
    ("potato salad", "side dish"),
    ("rye bread", "baking"),
    ("plum cake", "baking"),
    ("barley soup", "soup"),
    ("baked trout", "main course"),
    ("cabbage rolls", "main course"),
    ("beetroot soup", "soup"),
    ("semolina pudding", "dessert"),
    ("onion tart", "baking"),
    ("carrot soup", "soup"),
    ("bean salad", "side dish"),
    ("apple crumble", "dessert"),
    ("cheese dumplings", "main course"),
    ("pumpkin risotto", "main course"),
    ("nut braid", "baking"),
    ("cucumber salad", "side dish"),
    ("poppy seed roll", "baking"),
    ("mushroom ragout", "main course"),
    ("rhubarb fool", "dessert"),
    ("pea soup", "soup"),
    ("red cabbage", "side dish"),
    ("fish pie", "main course"),
    ("buckwheat pancakes", "dessert"),
    ("leek gratin", "main course"),
    ("elderflower jelly", "dessert"),
    ("spelt rolls", "baking"),
    ("chickpea curry", "main course"),
)


register(
    "recipes",
    ("kitchen-garden",),
    Sheet(
        "recipe",
        "recipes",
        (18, 28),
        (
            ident("recipe_no", "recipe number", "R{}|RZ-{}", (1, 200), 2),
            given("recipe", "name", "recipe name", 0),
            given("course", "category", "course", 1, "of the course {}"),
            ref("source_code", "source code", "from the source with the code {}"),
            count("minutes", "cooking time", (12, 190), "min", unique=True),
            count("servings", "number of servings", lambda d: d.pick(2, 4, 4, 6, 8, 12)),
            amount("cost", "cost of the ingredients", (2, 31)),
            flag(
                "vegetarian", "vegetarian", 0.65, "that are vegetarian", "that are not vegetarian"
            ),
        ),
        RECIPES,
    ),
    Sheet(
        "source",
        "sources",
        (3, 5),
        (
            code("source_code", "source code"),
            given("source", "name", "source", 1),
            given("language", "category", "language", 2, "in {}"),
            count("pages", "number of pages", (24, 420), unique=True),
        ),
        (
            ("Q1", "grandmother's notebook", "German"),
            ("Q2", "market leaflet", "English"),
            ("Q3", "canteen folder", "English"),
            ("Q4", "island cookbook", "Danish"),
            ("Q5", "bakers' almanac", "German"),
        ),
    ),
)


PANTRY = (
    ("rye flour", "kg", 2),
    ("spelt flour", "kg", 2),
    ("sugar", "kg", 1),
    ("red lentils", "kg", 3),
    ("rice", "kg", 2),
    ("oats", "kg", 1),
    ("pasta", "pack", 2),
    ("tomatoes, tinned", "tin", 1),
    ("chickpeas", "tin", 1),
    ("olive oil", "bottle", 9),
    ("vinegar", "bottle", 3),
    ("honey", "jar", 6),
    ("plum jam", "jar", 4),
    ("pickled beetroot", "jar", 3),
    ("mustard", "jar", 2),
    ("coffee", "pack", 7),
    ("black tea", "pack", 4),
    ("apple juice", "bottle", 2),
    ("walnuts", "pack", 5),
    ("raisins", "pack", 3),
    ("yeast", "pack", 1),
    ("candles", "pack", 4),
    ("matches", "pack", 1),
    ("salt", "pack", 1),
    ("cocoa", "pack", 4),
    ("sardines", "tin", 2),
)


register(
    "pantry",
    ("kitchen-garden", "household-budget"),
    Sheet(
        "item",
        "items",
        (16, 26),
        (
            ident("item_no", "item number", "V{}|I{}", (1, 200), 2),
            given("item", "name", "item name", 0),
            given("unit", "category", "unit", 1, "measured by the {}"),
            ref("shelf_code", "shelf code", "on the shelf with the code {}"),
            amount("stock", "stock level", (0.5, 14), "", 1),
            amount("price", "price per unit", lambda d: d.money(d.near(d.entry[2], 0.25))),
            when("best_before", "best-before date", lambda d: d.world.day(-500, 25)),
            flag(
                "on_list",
                "on the shopping list",
                0.3,
                "that are on the shopping list",
                "that are not on the shopping list",
            ),
        ),
        PANTRY,
    ),
    Sheet(
        "shelf",
        "shelves",
        (3, 5),
        (
            code("shelf_code", "shelf code"),
            given("shelf", "name", "shelf", 1),
            given("room", "category", "room", 2, "in the {}"),
            count("jars", "number of jars", (3, 60), unique=True),
        ),
        (
            ("S1", "top shelf", "kitchen"),
            ("S2", "cool shelf", "cellar"),
            ("S3", "long shelf", "cellar"),
            ("S4", "door rack", "kitchen"),
            ("S5", "crate", "garage"),
        ),
    ),
)


register(
    "harvest",
    ("kitchen-garden",),
    Sheet(
        "harvest",
        "harvests",
        (22, 50),
        (
            ident("entry_no", "entry number", "H{}|E-{}", (1, 300), 1),
            day("picked_on", "date", 130, 2),
            enum(
                "crop",
                "crop",
                ("beans", "courgettes", "potatoes", "carrots", "apples", "currants"),
                said="of {}",
            ),
            ref("bed_code", "bed code", "from the bed with the code {}"),
            amount("weight", "weight", (0.2, 19), "kg", 2),
            count("minutes", "time taken", (5, 160), "min"),
            enum(
                "use",
                "use",
                {
                    "eaten": "that were eaten",
                    "stored": "that were stored",
                    "given away": "that were given away",
                    "composted": "that were composted",
                },
                (5, 4, 2, 1.5),
            ),
        ),
    ),
    Sheet(
        "bed",
        "beds",
        (4, 6),
        (
            code("bed_code", "bed code"),
            given("bed", "name", "bed", 1),
            amount("area", "area", (2, 21), "m²", 1),
            enum("light", "light", ("full sun", "half shade", "shade"), said="in {}"),
        ),
        (
            ("B1", "south bed"),
            ("B2", "long bed"),
            ("B3", "raised bed"),
            ("B4", "hedge strip"),
            ("B5", "orchard"),
            ("B6", "cold frame"),
        ),
    ),
)


register(
    "beehives",
    ("kitchen-garden",),
    Sheet(
        "inspection",
        "inspections",
        (18, 40),
        (
            ident("inspection_no", "inspection number", "I{}|BH-{}", (10, 400), 1),
            day("inspected_on", "date", 140, 3),
            ref("hive_code", "hive code", "of the hive with the code {}"),
            count("frames", "number of brood frames", (2, 11)),
            amount("weight", "weight", (14, 62), "kg", 1),
            count("mites", "number of mites", (0, 46)),
            enum(
                "temper",
                "temper",
                {
                    "calm": "on which the bees were calm",
                    "restless": "on which the bees were restless",
                    "stinging": "on which the bees were stinging",
                },
                (6, 3, 1.6),
            ),
            flag(
                "queen_seen",
                "queen seen",
                0.6,
                "on which the queen was seen",
                "on which the queen was not seen",
            ),
        ),
    ),
    Sheet(
        "hive",
        "hives",
        (4, 7),
        (
            code("hive_code", "hive code"),
            given("stand", "category", "stand", 1, "at the stand {}"),
            count("queen_year", "year of the queen", lambda d: d.world.today.year - d.whole(0, 3)),
            amount("honey", "honey so far", (1, 38), "kg", 1),
        ),
        (
            ("HV1", "orchard"),
            ("HV2", "orchard"),
            ("HV3", "roof"),
            ("HV4", "lime avenue"),
            ("HV5", "roof"),
            ("HV6", "heath"),
            ("HV7", "lime avenue"),
        ),
    ),
)
