"""The finite sources of a pipeline as one stream, merged by arrival as `limecep run` merges them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limecep.runtime.feeds import Fed, Replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.runtime.feeds import Feed

#: How long a read may wait for a file, in seconds.
_POLL_SECONDS = 1.0


class Came(NamedTuple):
    """What came: events and invalid records in the order of arrival, and the sources that end with them."""

    fed: Fed
    ended: tuple[str, ...] = ()


def recorded(feeds: Sequence[Feed]) -> Iterator[Came]:
    """Open finite sources, read them as one stream without pauses, and close them.

    Args:
        feeds: The sources, none of them live (`limecep.embedding.pipelines.Assembly.feeds`).

    Raises:
        RunFailure: One of them cannot be read.
    """
    try:
        for feed in feeds:
            feed.open()
        replay = Replay([part for feed in feeds for part in feed.parts], paced=False)
        running = list(feeds)
        while running:
            for fed in replay.step(_POLL_SECONDS):
                yield Came(fed)
            for feed in [f for f in running if f.ended]:
                yield Came(feed.finish(), (feed.name,))
                running.remove(feed)
    finally:
        for feed in feeds:
            feed.close()
