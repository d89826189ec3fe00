"""The keeper: sees to it that a pipeline goes on after a crash as if there had been none.

The order of effects: what a batch changed is committed, with what is to be sent and how far the sources were
read; then the sources are told. What was committed is sent, and struck out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import limecep
from limecep.clock import SystemClock
from limecep.model.time import FOREVER
from limecep.state.book import Book, Numbers
from limecep.state.fingerprint import FORMAT, changed_files, check_format, fingerprint
from limecep.state.journal import StateJournal
from limecep.state.json_values import damaged, decode, encode
from limecep.state.outbox import Outbox
from limecep.state.places import READ, WAITING, Places
from limecep.state.sending import Sending, ThreadedSending

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

    from limecep.config.model import PatternConfig, PipelineConfig
    from limecep.contracts.state import Row, StateStore
    from limecep.detection.detection import Detection
    from limecep.model.event import Event
    from limecep.output.delivery import Delivery
    from limecep.output.repeating import Repeating
    from limecep.patterns.detector import Detector
    from limecep.runtime.feeds import Feed
    from limecep.state.changes import Changes
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
        self._known: dict[str, Any] | None = None
        self._head: dict[str, Any] = {}
        self._grown: dict[str, int] = {}
        self._changes: Changes | None = None
        #: What sinks were in that did not end with the run, each the outermost frame first.
        self.hung: list[list[FrameType]] = []

    def open(self, detectors: Sequence[Detector], workers: int = 1) -> Mapping[str, int]:
        """Takes the state for this process, and finds out which patterns go on with what it knows.

        Args:
            detectors: The patterns.
            workers: How many processes detection is divided among.

        Returns:
            The names of the patterns that see only what enters after some event, with its ordinal.

        Raises:
            RunFailure: It is in use, damaged, cannot be written, of another format, or that of a pipeline
                that cannot go on from it.
        """
        self._store.open()
        try:
            return self._compare(detectors, workers)
        except BaseException:
            self._store.close()
            raise

    def _compare(self, detectors: Sequence[Detector], workers: int) -> Mapping[str, int]:
        self._where = str(self._store.figures().get("path", self._where))
        known = self._known = next((decode(row.value) for row in self._store.rows(HEAD)), None)
        head: dict[str, Any] = {"format": FORMAT, "version": limecep.__version__}
        head |= {"pipeline": self._config.name}
        # Tells its batches from those of another state of this pipeline.
        self._name = uuid4().hex if known is None else str(known["name"])
        head |= {"name": self._name, "workers": workers, **fingerprint(self._config, detectors)}
        self._head = head
        if known is None:
            return {}
        check_format(known, self._where)
        from limecep.state.changes import begun_since, changes  # A state that is new has none.

        now = self._before(known, head)
        found = self._changes = changes(known, now, self._config, self._where)
        if not found.new and not known.get("since"):
            return {}
        figures = next((decode(row.value) for row in self._store.rows(FIGURES)), None)
        if figures is None:
            raise damaged(f"'{FIGURES}' is missing")
        plans = {d.plan.name: d.plan for d in detectors}
        head["since"] = begun_since(known, figures, found, plans, self._logger)
        return {name: ordinal for name, (ordinal, _) in head["since"].items()}

    def resume(
        self,
        detection: Detected,
        checkpoint: Keeping,
        feeds: list[Feed],
        delivery: Delivery,
        begin: Callable[[PatternConfig, Book], Detection] | None = None,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        """Goes on from the state: detection knows what it knew, the sources are to go on where they were.
        Nothing has happened yet to any of them.

        Args:
            detection: What detects.
            checkpoint: Writes what must survive of it in the `book`.
            feeds: The sources; none where a program feeds the pipeline.
            delivery: The sinks.
            begin: Makes the detection of one pattern alone, which says what it finds as backfill.
            look: Raises `Stopped` where the run has to end.

        Raises:
            RunFailure: The state is damaged.
        """
        self._detection = detection
        self._checkpoint = checkpoint
        self._places = Places(self.book, self._config.sources if feeds else (), feeds, self._logger)
        self._outbox = Outbox(self._store, self._numbers, self.book, delivery.outlets, SystemClock().now)
        self._delivery = delivery
        if self._known is not None:
            for name in changed_files(self._known, self._head):
                self._logger.warning(
                    "a local plugin has changed since this state was written: what was found before stays",
                    plugin=name,
                    state=self._where,
                )
            self._load(begin, look)
            if self._grown:
                from limecep.state.tables import check_grown

                check_grown(self._grown, detection.lta, self._where)
        elif next(iter(self._store.rows()), None) is not None:
            raise damaged(f"'{HEAD}' is missing")

    def _before(self, known: Mapping[str, Any], head: dict[str, Any]) -> dict[str, Any]:
        """The head as it was before tables had more rows than in the state, as `limecep.state.tables.grown`,
        to be compared."""
        if not self._config.tables:
            return head
        from limecep.state.tables import grown

        before = known.get("tables", {})
        self._grown = grown(before, self._config)
        return {**head, "tables": {**head["tables"], **{name: before[name] for name in self._grown}}}

    def _load(
        self, begin: Callable[[PatternConfig, Book], Detection] | None, look: Callable[[], None]
    ) -> None:
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
        unsent = self._outbox.recall(rows)
        self._repeat([row for row in rows if row.name.startswith(f"{REPEAT}/")])
        changes, joining = self._changes, None
        if changes is not None and begin is not None and (changes.new or changes.gone):
            from limecep.state.joining import Joining  # Patterns change seldom.

            whole = cast("Detection", self._detection)
            joining = Joining(known, rows, store, self._numbers, whole)
            joining.drop(changes.gone, self._logger)
            joining.begin(changes.new, begin, look, self._logger)
            rows = joining.rows
        self._checkpoint.restore(known, rows, store.segments(known["needed_from"], FOREVER))
        if changes is not None and joining is not None:
            joining.learn_again(changes.kept)
        self._places.recall()
        self.journal.begins = known["journal"]
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
            self.book.cell(HEAD, encode(self._head))
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
        """Goes on with what sinks were told of again; what is of a sink that repeats no more, or of a pattern
        that is no more what it was, is let go."""
        gone = () if self._changes is None else self._changes.gone
        outlets = {outlet.name: outlet.repeating for outlet in self._delivery.outlets}
        for row in rows:
            self.book.found(row)
            sink, _, match = row.name.removeprefix(f"{REPEAT}/").rpartition("/")
            repeating = outlets.get(sink)
            record, due, times = decode(row.value)
            if repeating is None or record["pattern"] in gone:
                self.book.drop_cell(row.name)
            else:
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
