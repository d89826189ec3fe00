"""In the workers: runs of the local kernel over one stream, each with policies of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import structlog

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, Registry, Renderer
from limecep.encoding import to_json
from limecep_lab.evaluation.accuracy import LOG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep import ComponentSpec
    from limecep.embedding.pipelines import PipelineConfig
    from limecep.model.event import Event
    from limecep.model.update import Update

#: What cells give: the records of their change logs, and at the end of each what it cost, as JSON.
ROWS = f"{LOG}, cost string"
_NAMES = [part.split()[0] for part in ROWS.split(", ")]
_TYPES = {"string": pa.string(), "long": pa.int64(), "double": pa.float64()}
_ROWS = pa.schema([(name, _TYPES[kind]) for name, kind in (part.split() for part in ROWS.split(", "))])

#: How many events are fed at a time; after that it is looked how many are kept.
_BATCH_EVENTS = 1000


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One run.

    Attributes:
        name: What it is called in the column `run`.
        level: The order in which events arrive.
        config: The pipeline.
    """

    name: str
    level: str
    config: PipelineConfig


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Runs cells.

    Attributes:
        cells: All of them; rows name them by their places.
        specs: The components there are.
        events: The recording, broadcast.
        orders: The orders of arrival by level, broadcast.
    """

    cells: Sequence[Cell]
    specs: tuple[ComponentSpec, ...]
    events: Any
    orders: Any

    @cached_property
    def _registry(self) -> Registry:
        return Registry(self.specs)

    def rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows of the cells that are named in batches."""
        for batch in batches:
            for place in batch.column("id").to_pylist():
                yield from self._run(self.cells[place])

    def _run(self, cell: Cell) -> Iterator[pa.RecordBatch]:
        run = Run(cell.config, self._registry)
        for updates in run.updates(self._arriving(cell.level)):
            if updates:
                yield _batch([_row(cell.name, update) for update in updates])
        yield _batch([(cell.name, *[None] * (len(_NAMES) - 2), to_json(run.cost()).decode())])

    def _arriving(self, level: str) -> Iterator[list[Event]]:
        """The events in the order of their arrival, made for one run."""
        events, order = self.events.value, self.orders.value[level]
        for begin in range(0, len(order), _BATCH_EVENTS):
            yield [
                msgspec.structs.replace(events[place], t_gen=t_gen, t_arr=t_arr)
                for place, t_gen, t_arr in order[begin : begin + _BATCH_EVENTS]
            ]


class Run:
    """The kernel over one stream.

    Args:
        config: The pipeline.
        registry: The components there are.
    """

    def __init__(self, config: PipelineConfig, registry: Registry) -> None:
        self._updates: list[Update] = []
        clock = ManualClock()
        logger = structlog.get_logger().bind(pipeline=config.name)
        self._assembly = Assembly(config, registry, clock, logger)
        self._detection = self._assembly.detection(self._updates.append, sources=self._assembly.traits())
        self._seconds = 0.0
        self._kept = self._remembered = 0

    def updates(self, arriving: Iterable[list[Event]]) -> Iterator[list[Update]]:
        """What batches of events cause, and then the end of the input."""
        detection = self._detection
        for batch in arriving:
            yield self._after(lambda batch=batch: detection.feed(batch))
        yield self._after(detection.finish)

    def _after(self, act: Any) -> list[Update]:
        begin = time.process_time()
        act()
        self._seconds += time.process_time() - begin
        self._kept = max(self._kept, self._detection.retention.size)
        remembered = sum(m.results.remembered for m in self._detection.managers)
        self._remembered = max(self._remembered, remembered)
        caused = self._updates.copy()
        self._updates.clear()
        return caused

    def cost(self) -> Mapping[str, float]:
        """What it took: `kept`, how many events were kept at most, and `remembered`, how many matches;
        `refused`, how many events were extremely late; `truncated`, how many evaluations were cut short;
        `seconds` of processor time."""
        return {
            "kept": self._kept,
            "remembered": self._remembered,
            "refused": self._detection.statistics.events()["extremely_late"],
            "truncated": sum(c["truncated"] for c in self._assembly.counters.values()),
            "seconds": round(self._seconds, 3),
        }


_render = Renderer("none").render


def _row(run: str, update: Update) -> tuple[Any, ...]:
    record = _render(update)
    return (
        run,
        update.pattern,
        record["match"],
        update.revision,
        update.op,
        record["content"],
        update.detected,
        record["latency"],
        None,
    )


def _batch(rows: Sequence[tuple[Any, ...]]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(c, field.type) for c, field in zip(columns, _ROWS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=_ROWS)
