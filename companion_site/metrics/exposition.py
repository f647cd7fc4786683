"""Figures in the form that Prometheus reads: this process's requests, and what the rows of the platform say."""

from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from companion_site.metrics.figures import Gauge


class _Everything(Collector):
    def __init__(self, gauges: Sequence[Gauge]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        yield from REGISTRY.collect()
        yield from map(_family, self._gauges)

    def describe(self) -> Iterable[Metric]:
        """Say nothing beforehand: names are looked at when they are collected."""
        return ()


def expose(gauges: Sequence[Gauge], *, accept: str) -> tuple[bytes, str]:
    """Return the text of all metrics and its content type, in the version that the scraper accepts."""
    registry = CollectorRegistry()
    registry.register(_Everything(gauges))
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def _family(gauge: Gauge) -> Metric:
    family = GaugeMetricFamily(gauge.name, gauge.told, labels=gauge.labels)
    for values, number in sorted(gauge.samples.items()):
        family.add_metric(values, number)
    return family
