"""The form of every head: a weighted sum of how alike an input is to labelled lines, and of plain facts and runs of letters.

Likeness is a radial kernel on unit vectors, exp(|a - b|² · -1), on centred plain facts, and products of these: "the same words
within the same kind of message". Ridge regression finds the weights (`bench/trainer.py`); reading is two matrix products.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Views = Mapping[str, Floats]

#: The view of plain facts; every other view is a unit vector.
PLAIN = "plain"
#: Where no more than so large a share of the lines are distinct, comparing each once costs less than copying the likenesses does.
MOST_DISTINCT = 0.8


@dataclass(frozen=True, kw_only=True)
class Form:
    """How a machine compares.

    Attributes:
        terms: views whose likenesses are multiplied, and the weight of that product.
        plain: the weight of plain facts by themselves, 0 for none.
        letters: the weight of runs of letters, 0 for none.
    """

    terms: tuple[tuple[tuple[str, ...], float], ...]
    plain: float = 0.0
    letters: float = 0.0

    @property
    def reads_plain(self) -> bool:
        """Tell whether plain facts are looked at in any way."""
        return bool(self.plain) or PLAIN in self.views

    @property
    def views(self) -> tuple[str, ...]:
        """Return the views that are compared, each once, in order."""
        return tuple(dict.fromkeys(view for views, _ in self.terms for view in views))


@dataclass(frozen=True, slots=True)
class Lines:
    """One view of m labelled lines, made ready to be compared; equal ones stand there once.

    Attributes:
        rows: (k + 2, u), so that one product gives -|a - b|²: of (a, 1, |a|²) with (2b, -|b|², -1).
        which: (m,) the place of each line among the u; None where hardly any are equal.
    """

    rows: Floats
    which: NDArray[np.intp] | None

    @classmethod
    def of(cls, view: str, lines: Floats) -> "Lines":
        """Return them of an (m, k) view."""
        each, which = _each_once(lines)
        is_worth_it = len(each) <= MOST_DISTINCT * len(lines)
        each = each if is_worth_it else lines
        rows = np.empty((lines.shape[1] + 2, len(each)), np.float32)
        rows[:-2], rows[-2], rows[-1] = 2 * each.T, -_squares(each), -1
        rows *= np.float32(0.5 / lines.shape[1] if view == PLAIN else 1.0)
        return cls(rows, which if is_worth_it else None)

    def alike(self, inputs: Floats) -> Floats:
        """Return (n, m): how alike n inputs and the lines are, 1 where they are equal."""
        each, which = _each_once(inputs)
        found = np.column_stack([each, np.ones(len(each), np.float32), _squares(each)]) @ self.rows
        np.exp(found, out=found)
        if self.which is not None:
            found = found.take(self.which, axis=1)
        return found if len(each) == len(inputs) else found[which]


def _each_once(rows: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return the distinct rows in the order of the first of each, and (n,) the place of each row among them."""
    places: dict[bytes, int] = {}
    which = np.array([places.setdefault(row.tobytes(), len(places)) for row in rows], np.intp)
    return np.frombuffer(b"".join(places), rows.dtype).reshape(len(places), rows.shape[1]), which


def prepare(form: Form, views: Views) -> dict[str, Lines]:
    """Return each view of labelled lines as inputs are compared with it."""
    return {view: Lines.of(view, views[view]) for view in form.views}


def likeness(form: Form, views: Views, lines: Mapping[str, Lines]) -> Floats:
    """Return (n, m): how alike n inputs are to m labelled lines, without the parts that are sums of features.

    Args:
        lines: as `prepare` returns them.
    """
    alike = {view: lines[view].alike(views[view]) for view in form.views}
    shape = np.broadcast_shapes(*(part.shape for part in alike.values()))
    total, product = np.zeros(shape, np.float32), np.empty(shape, np.float32)
    for names, weight in form.terms:
        np.multiply(alike[names[0]], np.float32(weight), out=product)
        for name in names[1:]:
            product *= alike[name]
        total += product
    return total


def _squares(rows: Floats) -> Floats:
    """Return (n,): the square of each row's length."""
    return np.asarray((rows**2).sum(1), np.float32)
