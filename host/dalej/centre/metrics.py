"""What a centre tells Prometheus: of each hall how far it has told, and when it was heard last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from dalej.centre.mirror import Mirror
from dalej.errors import DalejError

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class CentreMetrics:
    """Read anew whenever somebody asks."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """For the library. While the database is away only that is told."""
        up = GaugeMetricFamily("dalej_centre_up", "Whether the centre's database answers")
        try:
            halls = self._mirror.halls()
        except DalejError:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        entries = CounterMetricFamily(
            "dalej_hall_entries", "Entries of the epoch that a hall has told", labels=["hall"]
        )
        epoch = GaugeMetricFamily("dalej_hall_epoch", "Which of its event files a hall tells of", labels=["hall"])
        heard = GaugeMetricFamily(
            "dalej_hall_heard_timestamp_seconds", "When a hall was heard last, Unix time", labels=["hall"]
        )
        valid = GaugeMetricFamily("dalej_hall_key_valid", "Whether a hall's key is taken", labels=["hall"])
        for hall in halls:
            entries.add_metric([hall.name], hall.through)
            epoch.add_metric([hall.name], hall.epoch)
            valid.add_metric([hall.name], not hall.revoked)
            if hall.heard_ms is not None:
                heard.add_metric([hall.name], hall.heard_ms / 1_000)
        yield from (up, entries, epoch, heard, valid)
