"""The keeper: sees to it that a pipeline goes on after a crash as if there had been none.

The order of effects: what a batch changed is committed, with what is to be sent and how far the sources were
read; then the sources are told. What was committed is sent, and struck out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import limecep
from limecep.clock import SystemClock
from limecep.model.time import FOREVER
from limecep.state.book import Book, Numbers
from limecep.state.fingerprint import FORMAT, changed_files, check, check_format, fingerprint
from limecep.state.journal import StateJournal
from limecep.state.json_values import damaged, decode, encode
from limecep.state.outbox import Outbox
from limecep.state.places import READ, WAITING, Places
from limecep.state.sending import Sending, ThreadedSending

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

    from limecep.config.model import PipelineConfig
    from limecep.contracts.state import Row, StateStore
    from limecep.model.event import Event
    from limecep.output.delivery import Delivery
    from limecep.output.repeating import Repeating
    from limecep.runtime.feeds import Feed
    from limecep.state.checkpoint import Detected, Keeping
    from limecep.state.sending import Ending

#: What the names of rows begin with that say what a sink is told of again; those of the sink and of the match
#: follow.
REPEAT = "repeat"

#: The row that says whose state it is, the one that counts commits, and the one with all figures.
HEAD, BATCH, FIGURES = "head", "batch", "figures"


class Keeper:
    """Keeps the state of one pipeline.

    Args:
        store: The state store.
        config: The pipeline.
        logger: The logger.

    Attributes:
        journal: The events that entered the pipeline.
        book: Makes the tables of its detection.
        resumed: Whether there was a state to go on from.
        read_before: How many events were read in earlier lives of the pipeline.
    """

    def __init__(self, store: StateStore, config: PipelineConfig, logger: Any) -> None:
        self.journal = StateJournal(store, config.state_keep)
        self.resumed = False
        self.read_before = 0
        self._store = store
        self._config = config
        self._logger = logger
        self._where = config.name
        self._numbers = Numbers()
        self.book = Book(self._numbers)
        self._batch = 0
        self._outbox = Outbox(store, self._numbers, self.book, (), SystemClock().now)
        self._sending: Sending | None = None
        #: What sinks were in that did not end with the run, each the outermost frame first.
        self.hung: list[list[FrameType]] = []

    def open(self) -> None:
        """Takes the state for this process.

        Raises:
            RunFailure: It is in use, damaged, or cannot be written.
        """
        self._store.open()

    def resume(self, detection: Detected, checkpoint: Keeping, feeds: list[Feed], delivery: Delivery) -> None:
        """Goes on from the state: detection knows what it knew, the sources are to go on where they were.
        Nothing has happened yet to any of them.

        Args:
            detection: What detects.
            checkpoint: Writes what must survive of it in the `book`.
            feeds: The sources; none where a program feeds the pipeline.
            delivery: The sinks.

        Raises:
            RunFailure: The state is that of another pipeline, of another format, or damaged.
        """
        self._detection = detection
        self._checkpoint = checkpoint
        self._places = Places(self.book, self._config.sources if feeds else (), feeds, self._logger)
        self._outbox = Outbox(self._store, self._numbers, self.book, delivery.outlets, SystemClock().now)
        self._delivery = delivery
        self._where = str(self._store.figures().get("path", self._where))
        known = next((decode(row.value) for row in self._store.rows(HEAD)), None)
        # Tells its batches from those of another state of this pipeline.
        self._name = uuid4().hex if known is None else str(known["name"])
        head = {"format": FORMAT, "version": limecep.__version__, "pipeline": self._config.name}
        head |= {"name": self._name, "workers": checkpoint.workers}
        head |= fingerprint(self._config, detection.detectors)
        self._head = encode(head)
        if known is not None:
            check_format(known, self._where)
            grown = self._grown(known, head)
            check(known, head, self._where)
            for name in changed_files(known, head):
                self._logger.warning(
                    "a local plugin has changed since this state was written: what was found before stays",
                    plugin=name,
                    state=self._where,
                )
            self._load()
            if grown:
                from limecep.state.tables import check_grown

                check_grown(grown, detection.lta, self._where)
        elif next(iter(self._store.rows()), None) is not None:
            raise damaged(f"'{HEAD}' is missing")

    def _grown(self, known: Mapping[str, Any], head: dict[str, Any]) -> dict[str, int]:
        """The tables that have more rows than in a state, as `limecep.state.tables.grown`. In the head they
        are then what they were, to be compared."""
        if not self._config.tables:
            return {}
        from limecep.state.tables import grown

        before = known.get("tables", {})
        found = grown(before, self._config)
        if found:
            head["tables"] = {**head["tables"], **{name: before[name] for name in found}}
        return found

    def _load(self) -> None:
        store = self._store
        rows = list(store.rows())
        for row in rows:
            self._numbers.seen(row.number)
        cells = {}
        for row in rows:
            if row.name in (HEAD, BATCH, FIGURES):
                self.book.found(row)
                cells[row.name] = decode(row.value)
            elif row.name.startswith((f"{READ}/", f"{WAITING}/")):
                self._places.take(row)
        for name in (BATCH, FIGURES):
            if name not in cells:
                raise damaged(f"'{name}' is missing")
        known, self._batch = cells[FIGURES], cells[BATCH]
        self._checkpoint.restore(known, rows, store.segments(known["needed_from"], FOREVER))
        self._repeat([row for row in rows if row.name.startswith(f"{REPEAT}/")])
        self._places.recall()
        self.journal.begins = known["journal"]
        unsent = self._outbox.recall(rows)
        self.resumed = True
        self.read_before = self._detection.statistics.events()["read"]
        self._logger.info(
            "goes on from its state",
            state=self._where,
            batch=self._batch,
            events=self._checkpoint.size,
            unsent=unsent,
        )

    def entered(self, events: Sequence[Event]) -> None:
        """These events were taken in: those that entered the store are for the journal."""
        for segment in self._checkpoint.segments(events):
            self._store.append(*segment)

    def commit(self) -> None:
        """Keeps what changed since the last time, with what is to be sent.

        Raises:
            RunFailure: It cannot be kept.
        """
        if self._sending is not None:
            self._sending.collect()
        known = self._checkpoint.snapshot()
        self.entered(())
        self._delivery.send()
        to_send = self._outbox.write()
        self._outbox.assign()
        self.journal.trim(known["needed_from"], self._detection.lta)
        self._places.write()
        for outlet in self._delivery.outlets:
            if outlet.repeating is not None:
                self._standing(outlet.name, outlet.repeating)
        self.book.cell(FIGURES, encode({**known, "journal": self.journal.begins}))
        put, deleted = self.book.changes()
        if put or deleted or to_send:
            self._batch += 1
            self.book.cell(BATCH, encode(self._batch))
            self.book.cell(HEAD, self._head)
            more, _ = self.book.changes()
            self._store.delete(deleted)
            self._store.put([*put, *more])
            self._store.commit()
            if self._sending is not None:
                self._sending.struck_out = False
        elif self._sending is not None:
            self._sending.commit()

    def _standing(self, sink: str, repeating: Repeating) -> None:
        """Keeps what a sink is told of again."""
        for match, standing in repeating.changes():
            name = f"{REPEAT}/{sink}/{match}"
            if standing is None:
                self.book.drop_cell(name)
            else:
                self.book.cell(name, encode(standing))

    def _repeat(self, rows: Sequence[Row]) -> None:
        """Goes on with what sinks were told of again; what is of a sink that repeats no more is let go."""
        outlets = {outlet.name: outlet.repeating for outlet in self._delivery.outlets}
        for row in rows:
            self.book.found(row)
            sink, _, match = row.name.removeprefix(f"{REPEAT}/").rpartition("/")
            repeating = outlets.get(sink)
            if repeating is None:
                self.book.drop_cell(row.name)
            else:
                record, due, times = decode(row.value)
                repeating.recall(match, record, due, times)

    def send(self, ending: Ending | None = None) -> None:
        """Begins to send, with what an earlier run has left. To be called once after `resume`.

        Args:
            ending: Knows whether the run is to end: sinks are then opened here, and sent to by threads of
                their own. None: they are open, and `deliver` waits for them.

        Raises:
            RunFailure: A sink cannot be opened, or take it.
        """
        given = self._outbox, self._store, self.book, self._name
        if ending is None:
            self._sending = Sending(*given)
        else:
            self._sending = sending = ThreadedSending(*given, self._logger, ending)
            sending.open(self._delivery)
        self.deliver()

    def deliver(self) -> None:
        """Sends what was committed. It is durable: sources may be told, whatever sinks do.

        Raises:
            RunFailure: A sink cannot take it.
        """
        assert self._sending is not None
        self._sending.deliver()

    def finish(self) -> bool:
        """The run ends: waits for the sinks, if they are sent to by threads; says whether they have all.

        Raises:
            RunFailure: A sink cannot take what is for it.
        """
        return not isinstance(self._sending, ThreadedSending) or self._sending.finish()

    def report(self) -> dict[str, Any]:
        """What there is to say of it, for the accounting."""
        figures = {"resumed": self.resumed, "batches": self._batch, "unsent": self._outbox.count}
        return {**self._store.figures(), **figures}

    def waiting(self, sink: str) -> int:
        """How many records wait for a sink."""
        box = self._outbox.boxes.get(sink)
        return 0 if box is None else box.count

    def of_sink(self, name: str) -> dict[str, Any]:
        """What there is to say of what waits for a sink."""
        box = self._outbox.boxes.get(name)
        return {} if box is None else box.told()

    def close(self) -> None:
        """Lets go of the state. May be called twice, and without `open`."""
        if isinstance(self._sending, ThreadedSending):
            self.hung += self._sending.close()
        self._store.close()
