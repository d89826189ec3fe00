"""A pipeline as a library: what a program calls to feed it. The work is done by `limecep.runtime.feeding`,
which a run does without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

from limecep.host import Host

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
    from datetime import datetime

    from limecep.config.findings import Findings
    from limecep.config.nodes import Block
    from limecep.registry import Registry
    from limecep.runtime.feeding import Feeding
    from limecep.runtime.updates import Change, Refused, Updates


class Feedable:
    """Takes events of a program, and gives the updates they cause."""

    _feeding: Feeding | None = None

    def feed(
        self, events: Any, *, invalid: Literal["raise", "refuse"] = "raise", **fields: str | None
    ) -> Updates:
        """Takes in events in the order of their arrival; gives the updates they cause.

        When it returns, the sinks that the pipeline names have them, and the state has all of it. Threads
        that feed one pipeline take turns.

        Args:
            events: Events, dictionaries, a table of pandas, Arrow, Polars or numpy, or one event or
                dictionary (docs/embedding.md).
            invalid: What becomes of that which cannot become an event: `refuse` puts it among the `refused`
                of the updates, and takes in the others.
            fields: How dictionaries and tables are read, as of `limecep.events`: `type="Reading"`,
                `time="timestamp"`, `zone="UTC"`, ...

        Raises:
            InvalidEvent: Something cannot become an event. Nothing is taken in.
            RuntimeError: The pipeline was run, is closed, or is fed from inside of its own feed.
        """
        return self._feeder().feed(events, invalid, fields)

    def advance(self, to: int | datetime) -> Updates:
        """Event time has come to `to`, a datetime or microseconds since 1970 UTC, although no event says so;
        gives what that causes."""
        return self._feeder().advance(to)

    def finish(self) -> Updates:
        """The input is over: time has passed for everything; gives what that causes."""
        return self._feeder().finish()

    def stream(
        self,
        events: AsyncIterable[Any],
        *,
        refused: Callable[[Refused], object] | None = None,
        **fields: str | None,
    ) -> AsyncIterator[Change]:
        """Feeds what comes, and gives the updates one after the other: `async for update in ...`. The end of
        the events is the end of the input, but for a pipeline with state, where what waits goes on waiting.

        Args:
            events: What `feed` takes, piece by piece.
            refused: Takes what was refused; where it is there, also what cannot become an event.
            fields: As of `feed`.
        """
        return self._feeder().stream(events, refused, fields)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *about: object) -> None:
        """Closes the pipeline. One that was fed, has no state and did not fail is finished before: its sinks
        get what waits."""
        try:
            if self._feeding is not None and kind is None:
                self._feeding.leave()
        finally:
            self.close()

    def close(self) -> None:
        """Lets go of everything."""
        raise NotImplementedError

    def _feeder(self) -> Feeding:
        """What takes what is fed, with the sinks open and the state resumed. Made when first asked for."""
        raise NotImplementedError


def with_objects(
    registry: Registry | None, sources: Mapping[str, Any], sinks: Mapping[str, Any], tables: Mapping[str, Any]
) -> tuple[Registry, Callable[[Block, Findings], Block] | None]:
    """The components there are, with objects of a program, and what puts these into a document."""
    registry = registry or Host.load().registry
    given = None
    if tables:
        from limecep.runtime.given_tables import GivenTables

        given = GivenTables(tables)
        registry = given.registry(registry)
    if not sources and not sinks:
        return registry, None if given is None else given.placed(None)
    from limecep.runtime.objects import Objects

    objects = Objects(sources=sources, sinks=sinks)
    return objects.registry(registry), objects.placed if given is None else given.placed(objects.placed)
