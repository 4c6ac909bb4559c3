"""What a command printed, as bounded text: head and tail, and how much is missing between."""


def cut_middle(data: bytes, limit: int, *, already_cut: int = 0) -> str:
    """Text of at most about `limit` bytes. Prefers to cut at line ends.

    `already_cut` bytes were dropped from the middle of `data` before it came here.
    """
    if len(data) <= limit:
        return decoded(data)
    head = data[: limit // 2]
    tail = data[len(data) - (limit - limit // 2) :]
    if (end := head.rfind(b"\n")) > len(head) // 2:
        head = head[: end + 1]
    if 0 <= (start := tail.find(b"\n")) < len(tail) // 2:
        tail = tail[start + 1 :]
    missing = len(data) + already_cut - len(head) - len(tail)
    opened = decoded(head)
    separator = "" if opened.endswith("\n") else "\n"
    return (
        f"{opened}{separator}[… about {missing:,} bytes of output left out here; "
        f"send long output to a file and read parts of it …]\n{decoded(tail)}"
    )


def decoded(data: bytes) -> str:
    """UTF-8 with replacement; NUL bytes, which no model API takes, are shown as such."""
    return data.decode("utf-8", "replace").replace("\x00", "\\0")


def clock(seconds: float) -> str:
    """A duration for people: 0.4 s, 12 s, 3 min 05 s."""
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 and seconds % 1 else f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def with_notes(output: str, notes: list[str]) -> str:
    """Output and, below it, what there is to say about it."""
    parts = [output.rstrip("\n")] if output.strip() else []
    if not parts and not notes:
        return "(no output)"
    return "\n".join([*parts, *(f"[{note}]" for note in notes)])
