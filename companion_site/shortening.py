"""A text that is too long for its place: on one line, and cut where it harms least."""


def shorten(text: str, most: int) -> str:
    """Return a text on one line of at most `most` characters, cut at a word where that leaves more than half of it."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    end = line.rfind(" ", 0, most)
    return line[: end if end > most // 2 else most - 1].rstrip(" ,;:.-\u2013") + "…"
