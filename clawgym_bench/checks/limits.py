"""Bounds on what a check parses. A file beyond them fails its check, with the reason.

They are far above what any task asks for and far below what could hurt the grading process.
"""

TEXT_BYTES = 2 * 2**20
TEXT_LINES = 100_000
STRUCTURED_BYTES = 16 * 2**20
TABLE_ROWS = 200_000
TABLE_COLUMNS = 1_000
NESTING = 100
ARCHIVE_MEMBERS = 10_000
EXPANDED_BYTES = 128 * 2**20
PDF_PAGES = 500
SQLITE_STEPS = 20_000_000
PATTERN_SECONDS = 2.0
MARKDOWN_BYTES = 256 * 2**10
MARKUP_BYTES = 4 * 2**20
MARKUP_ELEMENTS = 20_000
MARKUP_NESTED_PAIRS = 500_000
ARGUMENT_CHARACTERS = 2**20


class Refused(Exception):
    """A file that a parser does not accept; the message is the reason given to the reader."""
