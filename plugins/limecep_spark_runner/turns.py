"""The kernel for one key at a time: as it was, what comes, what goes out, as it is then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limecep.clock import ManualClock
from limecep.embedding.pipelines import (
    FOREVER,
    Assembly,
    Book,
    Checkpoint,
    Numbers,
    Row,
    decode,
    encode,
)
from limecep_spark_runner.refusals import Refusals
from limecep_spark_runner.statements import Versions, revising, unversioned
from limecep_spark_runner.work import OVER_US

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from limecep.embedding.pipelines import PipelineConfig
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep_spark_runner.work import Work


class Memory(msgspec.Struct, array_like=True):
    """What is known of a key between batches.

    Attributes:
        figures: All there is, rows and events aside, as JSON.
        rows: What detection noted, in the order of the numbers.
        segments: The events, in the order in which they came, each segment with the latest `t_gen` in it.
        said: How many statements without a version have come.
    """

    figures: bytes
    rows: list[tuple[int, str, bytes]]
    segments: list[tuple[int, bytes]]
    said: int = 0


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Memory).decode


class KeyClock:
    """The arrival clock of whichever key has its turn: each begins anew, and goes on from where it was."""

    def __init__(self) -> None:
        self._clock = ManualClock()

    def begin(self) -> None:
        """Another key has its turn."""
        self._clock = ManualClock()

    def now(self) -> int:
        """As of any clock."""
        return self._clock.now()

    def advance(self, to: int) -> None:
        """As of a manual clock."""
        self._clock.advance(to)


class Kernel:
    """Makes detections for the keys of one group of patterns.

    Args:
        config: The pipeline with these patterns.
        work: The whole of it.
    """

    def __init__(self, config: PipelineConfig, work: Work) -> None:
        self.clock = KeyClock()
        self.config = config
        self.assembly = Assembly(config, work.registry, self.clock, work.logger)
        self.revising = revising(config)
        self.unversioned = unversioned(config)

    def turn(self, memory: bytes | None, told: int) -> Turn:
        """A key has its turn.

        Args:
            memory: What is known of it; None for nothing.
            told: How far time has come over all keys, in microseconds.
        """
        self.clock.begin()
        self.assembly.count_anew()
        return Turn(self, memory, told)


class Turn:
    """One key while something happens to it.

    Attributes:
        updates: What is to go out.
        told: How far time has come over all keys, in microseconds.
    """

    def __init__(self, kernel: Kernel, memory: bytes | None, told: int) -> None:
        self.updates: list[Update] = []
        self._refusals = Refusals()
        self.told = told
        self._blame = kernel.assembly.blame
        numbers = Numbers()
        self._book = Book(numbers)
        detection = self._detection = kernel.assembly.detection(
            self.updates.append, self._refusals.take, sources=kernel.revising, tables=self._book
        )
        self._checkpoint = Checkpoint(detection, self._book)
        self._rows: dict[int, Row] = {}
        self._segments: list[tuple[int, bytes]] = []
        self._versions = Versions(kernel.unversioned)
        if memory is not None:
            known = _unpack(memory)
            self._segments = known.segments
            self._versions.said = known.said
            for row in known.rows:
                numbers.seen(row[0])
                self._rows[row[0]] = Row(*row)
            segments = [segment for _, segment in self._segments]
            self._checkpoint.restore(decode(known.figures), self._rows.values(), segments)
        self._before = self._counted()
        self._outlived = FOREVER
        if told > 0:
            detection.advance(told)

    # -- what happens --------------------------------------------------------------------------------------

    def feed(self, events: Sequence[Event], positions: Sequence[str]) -> None:
        """Takes in events in the order of their arrival."""
        self._refusals.reading(events, positions)
        self._versions.number(events)
        try:
            self._detection.feed(events)
        except (Exception, SystemExit) as error:
            self._blame(error)
        self._entered(events)

    def _entered(self, events: Sequence[Event]) -> None:
        """These events were taken in, and what was derived meanwhile."""
        self._segments += [(last, text) for _, last, text in self._checkpoint.segments(events)]

    def end(self) -> None:
        """Does what waits: slack lasts no longer than a batch; and once all is over, what waits for time."""
        try:
            if self.told >= OVER_US:
                self._detection.finish()
            else:
                self._detection.settle()
        except (Exception, SystemExit) as error:
            self._blame(error)
        self._detection.let_go()
        # The time from which on, once strictly passed, nothing here can be needed; FOREVER for never.
        stated = self._detection.stated
        awaited_until = -FOREVER if stated is None else stated.awaited_until
        self._outlived = self._detection.retention.outlived_at(awaited_until)

    # -- afterwards ----------------------------------------------------------------------------------------

    @property
    def late(self) -> Sequence[Record]:
        """Records of the late output."""
        return self._refusals.records

    def memory(self) -> bytes | None:
        """What is to be known of the key the next time; None if nothing is needed any more."""
        if self._outlived < self.told:
            return None
        put, deleted = self._book.changes()
        for number in deleted:
            self._rows.pop(number, None)
        self._rows.update((row.number, row) for row in put)
        self._entered(())
        needed_from = self._checkpoint.needed_from
        rows = [(number, *self._rows[number][1:]) for number in sorted(self._rows)]
        self._segments = [s for s in self._segments if s[0] >= needed_from]
        known = Memory(encode(self._checkpoint.snapshot()), rows, self._segments, self._versions.said)
        return _pack(known)

    @property
    def due(self) -> int:
        """The time, in microseconds and once strictly passed over all keys, from which on there is something
        to do although nothing comes; FOREVER if there is none."""
        if self._detection.lta == -FOREVER:
            # Nothing but withdrawals came before any time was known: how long they count is known with it.
            return self.told
        waiting = [m for m in self._detection.managers if m.waits and m.awaited_from < FOREVER]
        deadlines = [min(m.next_deadline, OVER_US - 1) for m in waiting]
        return max(self.told, min([self._outlived, *deadlines]))

    @property
    def idle(self) -> bool:
        """Whether nothing but forgetting is to be done once it is due."""
        return self._outlived < FOREVER

    def count(self, counts: Mapping[str, Mapping[str, Counter[str]]]) -> None:
        """Adds what was counted in this turn, as `Pipeline.report` has it."""
        for what, after in self._counted().items():
            before = self._before[what]
            for name, figures in after.items():
                counted, known = counts[what][name], before.get(name, {})
                for figure, number in figures.items():
                    if number != known.get(figure, 0):
                        counted[figure] += number - known.get(figure, 0)

    def _counted(self) -> dict[str, dict[str, dict[str, int]]]:
        detection = self._detection
        return {
            "sources": {name: dict(s.outcomes) for name, s in detection.statistics.sources.items()},
            "withdrawals": {
                name: {"unmet_withdrawals": s.unmet} for name, s in detection.statistics.sources.items()
            },
            "patterns": {
                name: {k: n for k, n in figures.items() if type(n) is int}
                for name, figures in detection.patterns().items()
            },
        }
