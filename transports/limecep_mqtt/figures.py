"""The observer that publishes the figures of a pipeline at a broker, for whoever looks after many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from limecep.clock import Stopwatch
from limecep.model.instants import rfc3339
from limecep_mqtt.link import Link

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.observer import Figures
    from limecep_mqtt.config import MqttObserverOptions


class MqttObserver:
    """Publishes the latest figures now and then (`limecep.contracts.observer`), QoS 0: what a broker that
    is away does not get, the next message has."""

    def __init__(self, options: MqttObserverOptions, context: Context) -> None:
        name = f"{options.client_id}-figures" if options.client_id else ""
        self._link = Link(options, name, context, self)
        self._topic = options.topic
        self._retain = options.retain
        self._every = options.every / 1e6
        self._counters = context.counters
        self._since: Stopwatch | None = None

    def open(self) -> None:
        """Begins to connect, and does not wait.

        Raises:
            RunFailure: The certificates cannot be used.
        """
        self._link.start()

    def observe(self, figures: Figures) -> None:
        """Publishes the figures if it is time, or the run is over.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        self._link.check()
        over = figures.phase in ("ended", "failed")
        if not over and self._since is not None and self._since.seconds < self._every:
            return
        if not self._link.up:
            self._counters["missed"] += 1
            return
        self._since = Stopwatch()
        self._counters["published"] += 1
        self._link.client.publish(self._topic, msgspec.json.encode(told(figures)), retain=self._retain)
        self._link.wake()

    def close(self) -> None:
        """Ends the connection."""
        self._link.close()

    # -- called in the link's thread -----------------------------------------------------------------------

    def connected(self, resumed: bool, properties: Any) -> None:
        """The next figures are published."""
        self._since = None

    def read(self) -> None:
        """Nothing: it receives nothing."""

    def lost(self) -> None:
        """Nothing: the client connects again."""


def told(figures: Figures) -> dict[str, Any]:
    """Figures for JSON: those of sources, patterns and sinks by their names, times as text."""
    data: dict[str, Any] = msgspec.to_builtins(figures)
    for kind in ("sources", "patterns", "sinks"):
        data[kind] = {each.pop("name"): each for each in data[kind]}
    for holder, key in (
        (data, "now"),
        (data, "event_time"),
        *((s, "latest") for s in data["sources"].values()),
    ):
        if holder[key] is not None:
            holder[key] = rfc3339(holder[key])
    return data
