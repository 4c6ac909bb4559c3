"""Content and publishing."""

from clawgym_data.compose.scenario import Subcategory, subcategory

CONTENT, DOMAIN = "content-publishing", "content-domain"

for entry in (
    Subcategory(
        "editorial-planning",
        CONTENT,
        DOMAIN,
        ("managing editor", "desk editor", "newsletter editor", "magazine editor"),
        ("{place} Courier", "{name} Magazines", "The {place} Gardener", "{place} Parish Letter"),
        (
            "for the editorial meeting",
            "before the issue goes to print",
            "for the freelancers",
            "so that the layout can start",
            "before the next issue is planned",
            "for the publisher",
        ),
        {"write-prose": 2.0, "edit-text": 2.0, "format-document": 2.0, "read-text": 1.6},
        (
            "Plans the pages of {organisation} and knows which text is late before its author "
            "does.",
            "{role} at {organisation}, a small paper in {place} with one deadline after another.",
            "Counts words, commissions texts and cuts them for {organisation}.",
            "Makes {organisation} together with {colleague}, who takes the pictures.",
        ),
    ),
    Subcategory(
        "archives-collections",
        CONTENT,
        DOMAIN,
        ("picture archivist", "collection manager", "museum registrar", "local historian"),
        (
            "{place} Town Museum",
            "{name} Collection",
            "{place} Picture Archive",
            "{place} Mill Museum",
        ),
        (
            "for the new exhibition",
            "before the loans are returned",
            "for the printed catalogue",
            "for the insurer",
            "so that the depot can be rearranged",
            "for a researcher who asked",
        ),
        {"organise-files": 1.6, "find-files": 1.5, "format-document": 1.8, "write-prose": 1.6},
        (
            "Catalogues what {organisation} owns, borrows and has forgotten in the cellar.",
            "{role} at {organisation} in {place}; three centuries of things, one desk.",
            "Looks after the holdings of {organisation} and the notes that others made on them.",
            "Writes labels and lists for {organisation}, checked by {colleague}.",
        ),
    ),
    Subcategory(
        "translation-localisation",
        CONTENT,
        DOMAIN,
        ("translation manager", "localisation lead", "translator", "terminologist"),
        ("{name} Language Services", "{place} Guidebooks", "{name} Software", "{name} Subtitles"),
        (
            "before the texts go to the translators",
            "for the client",
            "for the weekly status mail",
            "before the invoices of the translators are paid",
            "so that the glossary stays right",
            "for the reviewer",
        ),
        {"edit-text": 2.2, "compare-files": 1.6, "read-text": 1.8, "compute-aggregates": 0.8},
        (
            "Sends texts out to translators all over the place and puts the pieces together again.",
            "{role} at {organisation}; counts words in five languages and speaks three.",
            "Watches deadlines, terms and prices of the translations at {organisation}.",
            "Works for {organisation} from {place}, mostly with {colleague} and by mail.",
        ),
    ),
    Subcategory(
        "audio-video-production",
        CONTENT,
        DOMAIN,
        ("podcast producer", "video editor", "radio editor", "festival programmer"),
        ("Radio {place}", "{name} Pictures", "{place} Short Film Festival", "Studio {name}"),
        (
            "before the recording starts",
            "for the show notes",
            "for the sponsors",
            "before the programme is announced",
            "for the editing room",
            "so that the guests get their dates",
        ),
        {"write-prose": 1.8, "format-document": 1.6, "schedule-events": 1.5, "read-text": 1.5},
        (
            "Produces programmes at {organisation}, from the first idea to the last fade.",
            "{role} at {organisation} in {place}; works with headphones on and answers in writing.",
            "Keeps the running order of {organisation}, its guests and its rights in one list.",
            "Cuts what {colleague} records, and keeps the books of both.",
        ),
    ),
    Subcategory(
        "product-documentation",
        CONTENT,
        DOMAIN,
        ("technical writer", "content manager", "knowledge manager", "web editor"),
        ("{name} Tools", "{name} Products", "{place} Works", "{name} Works"),
        (
            "before the handbook is printed",
            "for the new release of the help pages",
            "for the product team",
            "before the old pages are taken down",
            "for the review with the engineers",
            "so that support can point to it",
        ),
        {"edit-text": 2.2, "format-document": 2.2, "read-text": 1.6, "compare-files": 1.5},
        (
            "Writes what the customers of {organisation} read when something does not work.",
            "{role} at {organisation}; prefers short sentences and current lists.",
            "Keeps the help pages of {organisation} in step with the products.",
            "Documents what the {team} team of {organisation} builds, usually the day before.",
        ),
    ),
):
    subcategory(entry)
