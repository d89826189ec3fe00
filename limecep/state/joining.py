"""Joining: what a state knows of the patterns that stay, and what patterns that are new to it have found in
its journal, become one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from limecep.errors import RunFailure
from limecep.model.instants import rfc3339
from limecep.model.time import FOREVER
from limecep.state.book import PARTS, Book
from limecep.state.json_values import decode, encode
from limecep.state.sweeping import sweep
from limecep.statistics import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.config.model import PatternConfig
    from limecep.contracts.state import Row, StateStore
    from limecep.detection.detection import Detection
    from limecep.state.book import Numbers


class Joining:
    """Makes a state fit a pipeline whose patterns have changed. Nothing is committed.

    Args:
        known: The figures that the state has; they become those of the pipeline.
        rows: Its rows.
        store: The state store.
        numbers: Gives rows their numbers.
        detection: What is to detect, to which nothing has happened yet.

    Attributes:
        known: As given.
        rows: Those for the pipeline.
        whole_from: The `t_gen` from which on the patterns that stay know what they have emitted.

    Raises:
        RunFailure: The state does not say what is whose.
    """

    def __init__(
        self,
        known: dict[str, Any],
        rows: Sequence[Row],
        store: StateStore,
        numbers: Numbers,
        detection: Detection,
    ) -> None:
        if "groups" not in known:
            raise RunFailure(
                "the state was written by a limecep under which patterns could not change: run it once with "
                "the patterns that it has, and change them then"
            )
        self.known = known
        known["retention"].setdefault("begins", known["retention"]["whole_from"])
        self.rows = list(rows)
        self.whole_from: int = known["retention"]["whole_from"]
        self._store = store
        self._numbers = numbers
        self._detection = detection
        groups = detection.refusals.numbers
        assert groups is not None
        self._groups = groups
        self._journal: int = known["journal"]

    def drop(self, names: Sequence[str], logger: Any) -> None:
        """Nothing is known of these patterns any more; what they have told stays."""
        known, parts = self.known, tuple(f"{PARTS}/{name}/" for name in names)
        self._store.delete([row.number for row in self.rows if row.name.startswith(parts)])
        self.rows = [row for row in self.rows if not row.name.startswith(parts)]
        for name in names:
            logger.info("the pattern as it was is gone: what it has told stays", pattern=name)
        for named in (known["managers"], known["statistics"]["patterns"], known["retention"]["cut"]):
            for name in names:
                named.pop(name, None)

    def begin(
        self,
        patterns: Sequence[PatternConfig],
        begin: Callable[[PatternConfig, Book], Detection],
        look: Callable[[], None],
        logger: Any,
    ) -> None:
        """Has patterns that are new find what there is in the journal, as far as they want it.

        Args:
            patterns: The patterns.
            begin: Makes the detection of one of them alone, which says what it finds as backfill.
            look: Raises `Stopped` where the run has to end.
            logger: The logger.
        """
        detection, known = self._detection, self.known
        # How far time has come for each of them.
        detection.statistics.restore(known["statistics"])
        detection.time.restore(known["time"])
        for pattern in patterns:
            book = Book(self._numbers)
            small = begin(pattern, book)
            place = next(n for n, m in enumerate(detection.managers) if m.plan.name == pattern.name)
            start, fed = FOREVER, 0
            if detection.detectors[place].since is None and known["store"]["arrivals"]:
                start = self._start(pattern, small.detectors[0].plan.within, logger)
                manager = detection.managers[place]
                (number,) = self._groups.of([manager.group])
                span = max(start, self._first), known["statistics"]["lta"]
                fed = sweep(small, self._store, span, manager.progress(), partial(self._is_of, number), look)
            self._take(pattern.name, small, book, start)
            logger.info("the pattern begins", pattern=pattern.name, begins=pattern.begins, events=fed)
        self._reach_back()

    def _is_of(self, number: int, numbers: Sequence[int]) -> bool:
        """Whether a group, by its number, is among some that a segment names."""
        return number in self._groups.numbers(numbers)

    @property
    def _first(self) -> int:
        """The least `t_gen` of all that came."""
        times = [s["first"] for s in self.known["statistics"]["sources"].values()]
        return min([t for t in times if t is not None], default=FOREVER)

    def _start(self, pattern: PatternConfig, within: int, logger: Any) -> int:
        """The `t_gen` from which on a pattern is to have events; -FOREVER for all there were."""
        journal, begins = self._journal, int(self.known["retention"]["begins"])
        if pattern.begins == "memory":
            return max(journal, begins)
        if isinstance(pattern.begins, int):
            if pattern.begins < journal:
                logger.warning(
                    "the journal does not reach back so far: the pattern begins where it does; 'keep' of the "
                    "state says how long it is",
                    pattern=pattern.name,
                    wanted=rfc3339(pattern.begins),
                    journal=rfc3339(journal),
                )
            # What ends then may have begun a window sooner, and have stood beside what began before that.
            return max(journal, pattern.begins - 2 * within)
        return journal

    def _take(self, name: str, small: Detection, book: Book, start: int) -> None:
        """A pattern goes on with what it has found."""
        known, found = self.known, decode(encode(small.snapshot()))
        small.detectors[0].context.counters.clear()
        manager = found["managers"][name]
        # How long ago its events came says nothing of how fast it is.
        manager["results"]["latency"] = Spread().snapshot()
        if -FOREVER < start < FOREVER:
            # What ends sooner may have begun before.
            manager["sound_from"] = max(manager["sound_from"], start + 2 * small.detectors[0].plan.within)
        known["managers"][name] = manager
        known["statistics"]["patterns"][name] = found["statistics"]["patterns"].get(name, {"scores": {}})
        ways = {way for _, way, _ in known["store"]["keyed"]}
        known["store"]["keyed"] += [entry for entry in found["store"]["keyed"] if entry[1] not in ways]
        part = f"{PARTS}/{name}/"
        put = [row for row in book.changes()[0] if row.name.startswith(part)]
        # Before the first batch: that may change what they say.
        self._store.put(put)
        self.rows += put
        for key in ("whole_from", "begins"):
            known["retention"][key] = min(known["retention"][key], max(found["retention"][key], start))

    def _reach_back(self) -> None:
        """Memory reaches back as far as any of the patterns needs it."""
        known = self.known
        retention = known["retention"]
        if not self._detection.packs:
            retention["whole_from"] = min(retention["whole_from"], retention["begins"])
        begins = retention["whole_from"]
        before, arrivals = known["store"]["left_before"] = known["store"]["left"]
        known["store"]["left"] = [min(before, begins), arrivals]
        known["needed_from"] = min(known["needed_from"], retention["begins"])

    def learn_again(self, names: frozenset[str]) -> None:
        """Detection is as the state says: where memory reaches back further now, the patterns that stay learn
        again what they had emitted of that time."""
        retention, until = self._detection.retention, self.whole_from
        for memory in self._detection.memories.values():
            if memory.name in names and retention.whole_from < until:
                memory.settle(until)
                memory.rebuild((retention.whole_from, until - 1), (), until)
