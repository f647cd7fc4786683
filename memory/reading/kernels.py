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


def prepare(form: Form, views: Views) -> dict[str, Floats]:
    """Return of each view the (k + 2, m) array by which inputs are compared with m labelled lines in one product.

    -|a - b|² is the product of (a, 1, |a|²) with (2b, -|b|², -1).
    """
    return {view: _prepare(view, views[view]) for view in form.views}


def _prepare(view: str, lines: Floats) -> Floats:
    steepness = np.float32(0.5 / lines.shape[1] if view == PLAIN else 1.0)
    rows = np.empty((lines.shape[1] + 2, len(lines)), np.float32)
    rows[:-2], rows[-2], rows[-1] = 2 * lines.T, -_squares(lines), -1
    rows *= steepness
    return rows


def likeness(form: Form, views: Views, lines: Mapping[str, Floats]) -> Floats:
    """Return (n, m): how alike n inputs are to m labelled lines, without the parts that are sums of features.

    Args:
        lines: as `prepare` returns them.
    """
    alike = {view: _alike(views[view], lines[view]) for view in form.views}
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


def _alike(rows: Floats, lines: Floats) -> Floats:
    """Return (n, m) likenesses; equal rows are compared once, since one statement stands in many pairs."""
    places: dict[bytes, int] = {}
    which = [places.setdefault(row.tobytes(), len(places)) for row in rows]
    each = np.frombuffer(b"".join(places), rows.dtype).reshape(len(places), rows.shape[1])
    found = np.column_stack([each, np.ones(len(each), np.float32), _squares(each)]) @ lines
    np.exp(found, out=found)
    return found if len(each) == len(rows) else found[which]
