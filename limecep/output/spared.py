"""A sink whose failure others are spared: it is sent nothing more, and they go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.sink import Showing, Transactional

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from limecep.contracts.sink import Sink
    from limecep.output.outlets import Change
    from limecep.output.record import Record


class Spared:
    """Passes on to a sink what it is to do, until that fails.

    Args:
        sink: The sink.
        failed: Told its first error, which is not raised.
        counters: Counts the records that it then did not get, or of which nobody knows: `missed`.
    """

    def __init__(self, sink: Sink, failed: Callable[[BaseException], object], counters: Counter[str]) -> None:
        self._sink = sink
        self._failed = failed
        self._counters = counters
        self._disabled = False
        #: How many records it was sent since it last said that all are durable.
        self._unsure = 0

    @property
    def counts_only(self) -> bool:
        """As of the sink."""
        return self._sink.counts_only

    @property
    def for_people(self) -> bool:
        """As of the sink, where that is `Showing`."""
        return not self._disabled and isinstance(self._sink, Showing) and self._sink.for_people

    def open(self) -> None:
        """As of the sink."""
        self._do(self._sink.open)

    def begin(self, batch: str) -> bool:
        """As of the sink, where that is `Transactional`."""
        return not isinstance(self._sink, Transactional) or self._do(self._sink.begin, batch) is not False

    def send(self, records: Sequence[Record]) -> None:
        """As of the sink."""
        if self._disabled:
            self._counters["missed"] += len(records)
            return
        self._unsure += len(records)
        self._do(self._sink.send, records)

    def sparing(self, change: Change) -> Change:
        """What changes records on their way to the sink, until it fails: then that is as if the sink had."""

        def changed(records: Sequence[Record]) -> Sequence[Record]:
            told = self._do(change, records)
            # Once it is disabled, `send` counts them.
            return records if told is None else told

        return changed

    def flush(self) -> None:
        """As of the sink."""
        self._do(self._sink.flush)
        self._unsure = 0

    def close(self) -> None:
        """As of the sink; one that has failed is closed, too."""
        if not self._disabled:
            self._do(self._sink.close)
            self._unsure = 0
            return
        try:
            self._sink.close()
        except (Exception, SystemExit):
            # That it cannot be used was told.
            return

    def _do(self, act: Callable[..., Any], *args: Any) -> Any:
        if self._disabled:
            return None
        try:
            return act(*args)
        except (Exception, SystemExit) as error:
            self._disabled = True
            self._counters["missed"] += self._unsure
            self._failed(error)
            return None
