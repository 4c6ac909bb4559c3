"""What a rewritten text must still say: numbers, paths, quotations, addresses, names.

A bound from below. Whether the request still asks for the same is for the audit's lint (what each
check needs is said) and for its other gates.
"""

import re
from collections.abc import Iterator

_FIXED = re.compile(
    r"(?P<code>`[^`\n]+`)|(?P<quote>“[^”\n]+”)|(?P<mail>[\w.+-]+@[\w.-]+\w)"
    r"|(?P<path>\b[\w.-]+(?:/[\w.*-]+)+/?|\b[\w-]+\.[a-z]{2,5}\b)|(?P<number>\d[\d.,:%-]*\d%?|\d%?)"
)
_NAME = re.compile(r"(?<=[\w,;] )[^\W\d_a-z][^\W\d_]+")
"""A capital letter inside a sentence."""


def lost_and_added(before: str, after: str) -> list[str]:
    """Sentences on facts that are in one text and not in the other."""
    old, new = set(_fixed(before)), set(_fixed(after))
    findings = [f"{fact} is left out" for fact in sorted(old - new)]
    findings += [f"{fact} is new" for fact in sorted(new - old)]
    words = set(re.findall(r"[^\W\d_]+", after))
    names = set(_NAME.findall(before))
    findings += [f"the name {name} is left out" for name in sorted(names - words)]
    return findings


def _fixed(text: str) -> Iterator[str]:
    for match in _FIXED.finditer(text):
        yield re.sub(r"[`“”]", "", match[0]).rstrip(".,:")
