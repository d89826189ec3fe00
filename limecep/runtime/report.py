"""The report of a pipeline: what was read, what became of it, and how long that took."""

from __future__ import annotations

from traceback import walk_tb
from typing import TYPE_CHECKING, Any

import limecep
from limecep.runtime.memory import peak_rss
from limecep.runtime.retrieval import Retrieval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.config.model import PipelineConfig
    from limecep.errors import Stopped
    from limecep.output.delivery import Delivery
    from limecep.output.late import LateOutput
    from limecep.runtime.assembly import Assembly
    from limecep.runtime.detecting import Detecting, Diagnose
    from limecep.runtime.feeds import Feed
    from limecep.state.keeper import Keeper


class Account:
    """What a pipeline has done.

    Args:
        config: Its configuration.
        assembly: Made its components.
        delivery: Its sinks.
        late: Its late output.

    Attributes:
        config, delivery, late: As given.
        seconds: How long it was at work.
        handed: How many events and invalid records were handed to detection.
        stopped: Whether it ended before its input did.
        cut_off: Whether that was in the middle of something.
        hung: Which component that was, if it did not look whether the run has to end.
        feeds: Its sources; none where it is fed.
        keeper: Its state, if it is run with one.
        retrieval: What reads events again, where it is run.
        diagnose: Adds what seems to be wrong to the figures of patterns and sources.
    """

    def __init__(
        self,
        config: PipelineConfig,
        assembly: Assembly,
        delivery: Delivery,
        late: LateOutput,
    ) -> None:
        self.seconds = 0.0
        self.handed = 0
        self.stopped = False
        self.cut_off = False
        self.hung = ""
        self.feeds: Sequence[Feed] = ()
        self.keeper: Keeper | None = None
        self.retrieval = Retrieval(())
        self.diagnose: Diagnose = _diagnose
        self.config = config
        self.delivery = delivery
        self.late = late
        self._counters = assembly.counters
        self._running = assembly.running
        self._disabled = assembly.components.disabled
        #: With state: the figures as they were committed.
        self._committed: dict[str, Any] = {}
        #: What was read from sources in earlier lives of the pipeline.
        self._earlier: dict[str, dict[str, int]] = {}

    def cut(self, stopped: Stopped) -> None:
        """The run, or the closing of something, was cut off."""
        self.stopped = self.cut_off = True
        self.hung = self.hung or stopped.hung
        if stopped.forced and not self.hung:
            self.hung = self._running([frame for frame, _ in walk_tb(stopped.__traceback__)])

    def resumed(self, detection: Detecting) -> None:
        """Detection is as its state has it."""
        self.committed(detection)
        self._earlier = {
            name: {"read": s.read, "invalid": s.outcomes["invalid"]}
            for name, s in detection.statistics.sources.items()
            if s.read
        }

    def committed(self, detection: Detecting) -> None:
        """What has happened so far is durable."""
        self._committed = _figures(detection)

    def report(self, detection: Detecting) -> dict[str, Any]:
        """The accounting. What components counted of their own stands with their source, pattern or sink."""
        figures = self._figures(detection)
        sources, patterns = figures["sources"], figures["patterns"]
        counters = self._counters
        for name, earlier in self._earlier.items():
            sources[name]["earlier"] = earlier
        for name, told in self.of_sources().items():
            sources[name] |= told
        if not self.cut_off:
            self.diagnose(detection, self.config.sources if self.feeds else (), patterns, sources)
        seconds = self.seconds
        return {
            **figures,
            "sinks": {
                o.name: {"records": o.sent, **counters[label], **self._waiting(o.name), **self._told(label)}
                for o in self.delivery.outlets
                for label in [f"sinks.{o.name}"]
            },
            **self._of_observers(),
            "late": self.late.summary(),
            "irrelevant_types": dict(detection.irrelevant_types),
            "behind": self.late.behind(
                detection.lta, {name: s.latest for name, s in detection.statistics.sources.items()}
            ),
            "evicted": detection.evicted,
            "retrieved": self.retrieval.told(),
            "state": None if self.keeper is None else self.keeper.report(),
            "stopped": self.left_undone(detection) if self.stopped else None,
            "seconds": round(seconds, 6),
            "events_per_second": round(self._read(figures) / seconds, 1) if seconds else 0.0,
            "peak_rss_bytes": peak_rss(),
            "version": limecep.__version__,
        }

    def of_sources(self) -> dict[str, dict[str, Any]]:
        """What sources and their readers counted, by the name of the source."""
        return {f.name: {**self._counters[f"sources.{f.name}"], **f.reader.counted()} for f in self.feeds}

    def _waiting(self, sink: str) -> dict[str, Any]:
        return {} if self.keeper is None else self.keeper.of_sink(sink)

    def _told(self, label: str) -> dict[str, str]:
        """Why a component was disabled, if it was."""
        return {"disabled": self._disabled[label]} if label in self._disabled else {}

    def _of_observers(self) -> dict[str, Any]:
        """What observers counted; nothing where there are none."""
        told = {
            o.name: {**self._counters.get(label, {}), **self._told(label)}
            for o in self.config.observers
            for label in [f"observers.{o.name}"]
        }
        return {"observers": told} if told else {}

    def left_undone(self, detection: Detecting) -> dict[str, Any]:
        """What a run left undone that ended before its input: whether it was cut off in the middle of
        something, whether finite input is left, how many events were read and not looked at, and which
        component did not end in time, if one did not."""
        sources = self.config.sources
        unread = not self.feeds and any(not s.live for s in sources)
        waiting = sum(len(feed.waiting) for feed in self.feeds)
        return {
            "cut_off": self.cut_off,
            "input_left": unread or any(not feed.ended for feed in self.feeds if not feed.live),
            "not_looked_at": self.handed + waiting - self._read(self._figures(detection)),
            **({"hung": self.hung} if self.hung else {}),
        }

    def _figures(self, detection: Detecting) -> dict[str, Any]:
        """With state, nothing counts of a batch that was cut off: the next run reads it again."""
        return self._committed if self.cut_off and self._committed else _figures(detection)

    def _read(self, figures: Mapping[str, Any]) -> int:
        """How many events this run has read."""
        before = 0 if self.keeper is None else self.keeper.read_before
        return int(figures["events"]["read"]) - before


def _figures(detection: Detecting) -> dict[str, Any]:
    """What happened to the events."""
    return {
        "events": detection.statistics.events(),
        "patterns": detection.patterns(),
        "sources": detection.statistics.outcomes(),
        "statistics": detection.statistics.told(),
    }


def _diagnose(detection: Any, *figures: Any) -> None:
    # A pipeline that only runs does not need it.
    from limecep.diagnosis.report import diagnose

    diagnose(detection, *figures)
