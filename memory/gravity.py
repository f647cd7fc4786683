"""Present gravity as the database computes it: the form of `memory.algorithms.decay`, from the same numbers.

Read where rows are counted or sorted without being loaded; what is stored is never changed by it.
"""

from datetime import datetime

from django.db.models import DurationField, ExpressionWrapper, F, FloatField, Func, Value
from django.db.models.functions import Cast, Extract, Greatest, Least, Power

from memory.algorithms.decay import DECAY, DecayParams

SECONDS_A_DAY = 86_400.0
#: PostgreSQL refuses a power that is too small for a number; after a hundred half-lives, 1e-30 is left.
MOST_HALF_LIVES = 100.0


def present_gravity(*, now: datetime, params: DecayParams = DECAY) -> Func:
    """Return the expression of a memory's gravity at `now`, from its `gravity`, `salience` and `accessed_at`."""
    age = ExpressionWrapper(Value(now) - F("accessed_at"), output_field=DurationField())
    seconds = Cast(Extract(age, "epoch"), FloatField())
    aged = Greatest(seconds, Value(0.0)) / Value(SECONDS_A_DAY) / Value(params.half_life_days)
    half_lives = Least(aged, Value(MOST_HALF_LIVES))
    faded = F("gravity") * Power(Value(0.5, output_field=FloatField()), half_lives)
    return Greatest(
        Value(params.floor_share) * F("salience"),
        ExpressionWrapper(faded, output_field=FloatField()),
        output_field=FloatField(),
    )
