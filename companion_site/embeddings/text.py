"""What any embedder can take: bounded, and without what breaks an engine or a request."""

#: About one window of the bundled model (510 tokens). A longer text would be the average of several windows, which
#: stands for none of them, at .4 ms a character; its words are all in the lexical index.
MAX_CHARS = 2_000
#: The end of a long text often holds its point; it gets this share of the room.
TAIL_CHARS = 500


def clean_text(text: str) -> str:
    """Return the text as an embedder can take it: no NUL, no half surrogate pairs, at most MAX_CHARS from both ends.

    Raises:
        TypeError: it is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text to embed must be a string, not {type(text).__name__}")
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS - TAIL_CHARS - 1]} {text[-TAIL_CHARS:]}"
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return paired.replace("\0", " ")
