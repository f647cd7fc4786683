"""How familiar a concept becomes by being used. Pure numbers: no Django, no clock, no settings."""


def grow_familiarity(familiarity: float, *, uses: int, rate: float) -> float:
    """Return the familiarity after a concept was used some more times.

    Each use closes the share `rate` of what is missing to 1, so n uses give `1 - (1 - familiarity) * (1 - rate) ** n`:
    the first uses count most, the value never passes 1, and the order of uses does not matter.

    Args:
        familiarity: in [0, 1].
        uses: 0 or more.
        rate: in [0, 1].

    Returns:
        In [familiarity, 1].
    """
    return 1.0 - (1.0 - familiarity) * (1.0 - rate) ** uses
