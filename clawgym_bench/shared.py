"""Values that nobody changes, of which deep copies are therefore the same.

Inspect copies every sample's score and metadata for every metric, again and again while it runs:
what is nested in them is copied in vain.
"""

from typing import Any, Self


class SharedDict(dict[str, Any]):
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class SharedList(list[Any]):
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
