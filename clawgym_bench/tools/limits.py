"""Bounds of what one tool call takes and gives back. Every one is named to the model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolLimits:
    """Defaults follow OpenClaw where it documents a number. Tasks and tests may change them."""

    read_lines: int = 2_000
    read_kilobytes: int = 50
    line_characters: int = 10_000
    """A single line of a file beyond this is shown up to here."""
    output_bytes: int = 30_000
    """What `exec` and `process` return at most: head and tail."""
    list_entries: int = 500
    exec_seconds: int = 120
    exec_max_seconds: int = 600
    background_seconds: int = 1_800
    """Life of a background command when the call names none."""
    poll_seconds: int = 120
    log_lines: int = 200
    memory_results: int = 6
    memory_lines: int = 400
    search_results: int = 5
    search_max_results: int = 10
    fetch_characters: int = 20_000


DEFAULT_LIMITS = ToolLimits()
