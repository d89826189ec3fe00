"""A worker: stores all events, and detects for its share of the keys.

    python -m limecep_local.worker

It reads messages from standard input and writes an answer to each, until the input ends: whoever started it
is gone then, or wants no more.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.contracts.tables import PLAIN
from limecep.embedding.pipelines import (
    Assembly,
    PartKeeper,
    Registry,
    Renderer,
    Retrieval,
    Share,
    compile_partition,
    diagnose,
    listen,
)
from limecep.errors import RunFailure, Stopped, said
from limecep_local.figures import counting_as, figures_of
from limecep_local.messages import Answer, Hung, Refused, Told, events_of, failure, pack
from limecep_local.parted import Parted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import BinaryIO

    from limecep import Event
    from limecep.embedding.pipelines import Demand, Kept, Refusal
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep_local.messages import Columns, Task


class Worker:
    """One of several that divide the keys. A message names a method; its answer is what that gives, or
    `answer` where that is nothing.

    Args:
        task: The pipeline, and which worker this is.

    Attributes:
        clock: Its arrival clock.
        ending: Knows when what it does is to end.
    """

    def __init__(self, task: Task) -> None:
        self._config = task.config
        self._share = Share(task.number, task.of)
        self._log = Log()
        self.ending = Parted()
        self.clock = ToldClock() if any(s.live for s in task.config.sources) else ManualClock()
        # What there is of components stands in the configuration.
        self._assembly = Assembly(task.config, Registry(()), self.clock, self._log, self.ending)
        self.blame, self.running = self._assembly.blame, self._assembly.running
        store = self._assembly.state()
        self._keeper = None if store is None else PartKeeper(store, task.number)
        self._numbers = {p.name: n for n, p in enumerate(task.config.patterns)}
        self._partitions = {p.name: compile_partition(p.pattern.partition) for p in task.config.patterns}
        self._unrepaired: Counter[str] = Counter()
        self._told: list[Told] = []
        self._refused: list[Refused] = []
        self._batch: Sequence[Event] = ()
        self._places: dict[int, int] = {}
        self._demands: Sequence[Demand | None] = ()
        self._renderer = cache(lambda events, delay: Renderer(events, delay=delay))

    def begin(self, delivers: bool, resumes: bool) -> None:
        """Begins, or goes on.

        Args:
            delivers: Whether some sink takes updates.
            resumes: Whether there is a state to go on from.

        Raises:
            RunFailure: The state is damaged.
        """
        keeper = self._keeper
        self._past = None if keeper is None else Retrieval((), keeper, self.ending.check)
        self._detection = self._assembly.detection(
            self._tell if delivers else None,
            self._refuse,
            sources=self._assembly.traits(),
            awaits_sources=True,
            past=self._past,
            tables=PLAIN if keeper is None else keeper.tables,
            share=self._share,
        )
        if keeper is not None:
            keeper.begin(self._detection)
            if resumes:
                self._unrepaired.update(keeper.resume()["own_unrepaired"])

    def deliver(self, demands: Sequence[Demand | None]) -> None:
        """The sinks are open, and take this."""
        self._demands = demands

    def feed(self, came: Columns) -> None:
        """Some events came."""
        self._batch = events_of(came)
        self._places = {}
        self._detection.feed(self._batch)
        if self._keeper is not None:
            self._keeper.entered(self._batch)

    def ended(self, source: str) -> None:
        """A source will bring nothing any more."""
        self._detection.ended(source)

    def idle(self, away: Collection[str] = ()) -> None:
        """Nothing came for a while; some sources may be away."""
        # All workers take in all events.
        listen(self._detection, away, self._keeper, self._log if self._share.first else Log())

    def settle(self) -> None:
        """The run ends before its input."""
        self._detection.settle()

    def finish(self) -> None:
        """The input is over."""
        self._detection.finish()

    def disable(self, pattern: str, reason: str) -> None:
        """A component of a pattern has failed in another worker."""
        self._detection.stop(pattern, reason)

    def keep(self) -> Kept:
        """What has changed since this was asked last, to be written."""
        assert self._keeper is not None
        return self._keeper.changes({"own_unrepaired": self._unrepaired})

    def diagnose(
        self,
        patterns: Mapping[str, Mapping[str, Any]],
        sources: dict[str, dict[str, Any]],
        invalid: Mapping[str, int],
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """What seems to be wrong, after the end: what is to be added to the figures of patterns and sources.

        Args:
            patterns: The figures of the patterns over all workers.
            sources: What sources and readers counted.
            invalid: How many records of each source gave no event.
        """
        found: dict[str, dict[str, Any]] = {name: {} for name in patterns}
        with counting_as(self._detection, patterns, invalid):
            diagnose(self._detection, self._config.sources, found, sources)
        absent = {
            n: {"absent_fields": s["absent_fields"]} for n, s in sources.items() if "absent_fields" in s
        }
        return found, absent

    def answer(self) -> Answer:
        """What came of it since the last answer."""
        answer = Answer(
            self._told,
            self._refused,
            self._log.taken(),
            figures_of(self._detection, self._share, self._unrepaired, self._past),
        )
        self._told, self._refused = [], []
        return answer

    # -- the ways out --------------------------------------------------------------------------------------

    def _tell(self, update: Update) -> None:
        records = tuple(self._record(demand, update) for demand in self._demands)
        self._told.append(
            Told(
                self._detection.place,
                0 if update.cause_event is None else 1,
                self._numbers[update.pattern],
                update.match.end.t_gen,
                records,
            )
        )

    def _record(self, demand: Demand | None, update: Update) -> Record | None:
        if demand is None or (demand.patterns and update.pattern not in demand.patterns):
            return None
        return self._renderer(demand.events, demand.delay).render(update)

    def _refuse(self, refusal: Refusal) -> None:
        if refusal.reason == "evicted":
            # Each pattern is spoken for by the worker that has the key.
            mine = tuple(p for p in refusal.patterns if self._owns(p, refusal.event))
            if not mine:
                return
            self._unrepaired.update(mine)
            refusal = replace(refusal, patterns=mine)
        elif not self._share.first:
            return
        if not self._places:
            self._places = {id(event): n for n, event in enumerate(self._batch)}
        self._refused.append(
            Refused(
                self._detection.place,
                refusal,
                self._places.get(id(refusal.event), -1),
                self._detection.lta,
            )
        )

    def _owns(self, pattern: str, event: Event) -> bool:
        key = self._partitions[pattern](event)
        return self._share.first if key is None else self._share.takes(key)


class ToldClock:
    """The arrival clock of live input. It stands at the time when the message was sent that is worked on, so
    all workers have the same time for the same events."""

    def __init__(self) -> None:
        self._now = self._passed = 0

    def now(self) -> int:
        """As of any clock."""
        return self._now

    def passed(self) -> int:
        """As of a clock that may be set."""
        return self._passed

    def tell(self, now: int, passed: int) -> None:
        """It is that time now, and so much has passed."""
        self._now, self._passed = now, passed


class Log:
    """Takes what components log, to be logged by the process that has the log."""

    def __init__(self, bound: Mapping[str, Any] | None = None, lines: list[Any] | None = None) -> None:
        self._bound = dict(bound or {})
        self._lines: list[tuple[str, str, dict[str, Any]]] = [] if lines is None else lines

    def bind(self, **values: Any) -> Log:
        """One that says these values, too."""
        return Log({**self._bound, **values}, self._lines)

    def taken(self) -> list[tuple[str, str, dict[str, Any]]]:
        """What was logged since this was last asked."""
        lines = self._lines.copy()
        self._lines.clear()
        return lines

    def debug(self, text: str, **values: Any) -> None:
        """As structlog's."""
        self._lines.append(("debug", text, {**self._bound, **values}))

    def info(self, text: str, **values: Any) -> None:
        """As structlog's."""
        self._lines.append(("info", text, {**self._bound, **values}))

    def warning(self, text: str, **values: Any) -> None:
        """As structlog's."""
        self._lines.append(("warning", text, {**self._bound, **values}))

    def error(self, text: str, **values: Any) -> None:
        """As structlog's."""
        self._lines.append(("error", text, {**self._bound, **values}))


def respond(worker: Worker, message: Sequence[Any]) -> Any:
    """The answer to a message.

    Args:
        worker: Does what it says.
        message: The time of live input and what has passed, or None; the name of a method of the worker, and
            its arguments.
    """
    time, name, *arguments = message
    if isinstance(worker.clock, ToldClock):
        worker.clock.tell(*time)
    try:
        found = getattr(worker, name)(*arguments)
    except (Stopped, KeyboardInterrupt):
        raise
    except BaseException as error:
        try:
            worker.blame(error)
        except Exception:
            raise
        except BaseException:
            # Such as SystemExit of nobody knows whom: it would end this process without a word.
            raise RunFailure(f"something raised {said(error)}") from error
    return worker.answer() if found is None else found


def serve(messages: BinaryIO, answers: BinaryIO) -> None:
    """Responds to messages, the first of which is the task, until there are no more or it cannot go on.

    Args:
        messages: Gives them.
        answers: Takes an answer to each but the first.
    """

    def answer(value: Any) -> None:
        answers.write(pack(value))
        answers.flush()

    try:
        worker = Worker(pickle.load(messages))
        with worker.ending.heeding(lambda frames: answer(Hung(worker.running(frames)))):
            while True:
                message = pickle.load(messages)
                with worker.ending.responding():
                    found = respond(worker, message)
                answer(found)
    except (EOFError, BrokenPipeError, Stopped):
        # Nobody asks any more, or listens.
        return
    except Exception as error:
        answer(failure(error))


def main() -> None:
    """Serves standard input."""
    # Whoever asks the run to end asks the process that started this one, which sees to the rest.
    for asked in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asked, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a component prints is no answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # What a worker makes goes as it came, by counting references.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
