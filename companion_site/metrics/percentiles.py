"""Percentiles, counted where the rows are."""

from django.db.models import Aggregate, FloatField

#: The percentiles that speed is told by, with their names as labels.
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


class Percentile(Aggregate):
    """The value that a share of all values does not exceed, interpolated; null where there is none."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()

    def __init__(self, expression, *, share: float, **extra):
        super().__init__(expression, share=float(share), **extra)
