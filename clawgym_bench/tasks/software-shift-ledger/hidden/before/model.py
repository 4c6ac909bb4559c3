"""What a shift is."""

from dataclasses import dataclass
from datetime import datetime


class PunchError(ValueError):
    """A punch file that is refused. `line` is the line number in the file, the header being 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


@dataclass(frozen=True)
class Shift:
    """One shift of one person. Times are local and to the minute."""

    person: str
    start: datetime
    end: datetime
    break_minutes: int = 0

    @property
    def minutes(self) -> int:
        """Presence: from punch-in to punch-out."""
        return int((self.end - self.start).total_seconds()) // 60


@dataclass(frozen=True)
class Split:
    """The minutes of a shift by kind."""

    day: int = 0
    night: int = 0
    holiday: int = 0

    @property
    def total(self) -> int:
        return self.day + self.night + self.holiday

    def __add__(self, other: "Split") -> "Split":
        return Split(self.day + other.day, self.night + other.night, self.holiday + other.holiday)
