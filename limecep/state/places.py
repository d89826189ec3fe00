"""Places: how far each source has been read, and what was read of it and not taken yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import event_in, event_out
from limecep.state.json_values import decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.config.model import SourceConfig
    from limecep.contracts.state import Row
    from limecep.runtime.feeds import Feed, Part
    from limecep.state.book import Book

#: The name of a row that says how far a source has been read, and of one that has what was not taken.
READ, WAITING = "source", "waiting"


class Places:
    """The places of all sources.

    Args:
        book: Where they are noted.
        configs: The sources.
        feeds: What they are read by, not open yet; in the same order.
        logger: The logger.
    """

    def __init__(self, book: Book, configs: tuple[SourceConfig, ...], feeds: list[Feed], logger: Any) -> None:
        self._book = book
        self._sources = {c.name: (c, feed) for c, feed in zip(configs, feeds, strict=True)}
        self._logger = logger
        # The reading that was written last, of each part that has something waiting.
        self._written: dict[str, int] = {}
        self._found: dict[str, Mapping[str, Any]] = {}
        for feed in feeds:
            feed.places = {}

    def take(self, row: Row) -> None:
        """A row of a place is there."""
        self._book.found(row)
        self._found[row.name] = decode(row.value)
        if row.name.startswith(f"{WAITING}/"):
            self._written[row.name] = 0

    def recall(self) -> None:
        """All rows are there: the sources go on from their places."""
        for name, (config, feed) in self._sources.items():
            place = self._found.get(f"{READ}/{name}")
            if place is None:
                continue
            if place["of"] != _of(config):
                self._logger.warning(
                    "the source is not the one that the state knows, and begins as if for the first time",
                    source=name,
                    before=place["of"],
                    now=_of(config),
                )
                continue
            feed.places = place["logs"]
            # States of before have none.
            feed.marks = place.get("marks", {})
            feed.reader.recall(place["reader"])
            for number, part in enumerate(place["parts"]):
                waiting = self._found.get(f"{WAITING}/{name}/{number}")
                if part["left"] and waiting is not None:
                    feed.put_back(
                        part["channel"],
                        [event_in(value) for value in waiting["events"][-part["left"] :]],
                        waiting["positions"][-part["left"] :],
                        waiting["arrivals"][-part["left"] :],
                        part["reached"],
                    )
                else:
                    feed.put_back(part["channel"], [], [], [], part["reached"])

    def write(self) -> None:
        """Notes where the sources are now."""
        for name, (config, feed) in self._sources.items():
            if not feed.parts:
                continue
            place = {
                "of": _of(config),
                "logs": feed.places,
                "marks": feed.marks,
                "reader": feed.reader.remembered(),
                "parts": [] if feed.live else [self._part(name, n, p) for n, p in enumerate(feed.parts)],
            }
            self._book.cell(f"{READ}/{name}", encode(place))

    def _part(self, name: str, number: int, part: Part) -> dict[str, Any]:
        row = f"{WAITING}/{name}/{number}"
        events, positions, arrivals = part.rest
        if not events:
            if self._written.pop(row, None) is not None:
                self._book.drop_cell(row)
        elif self._written.get(row) != part.readings:
            # What of it is taken meanwhile is told by how much is left.
            self._written[row] = part.readings
            rest = {"events": [event_out(e) for e in events], "positions": [*positions], "arrivals": arrivals}
            self._book.cell(row, encode(rest))
        return {"channel": part.channel, "left": len(events), "reached": part.reached}


def _of(config: SourceConfig) -> list[str]:
    """What tells a source from another one of the same name."""
    return [config.connector.spec.name, config.channel]
