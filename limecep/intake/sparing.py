"""A reader that passes over messages in which the codec, or a time format, fails: they go to the late output
with the reason."""

from __future__ import annotations

from functools import partial
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, cast

from limecep.contracts.codec import Counting, Undecodable
from limecep.contracts.remembering import Remembering
from limecep.errors import LimecepError
from limecep.intake.fields import Unusable
from limecep.intake.reader import Reader
from limecep.intake.times import Inexact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Codec, Decoded, Record
    from limecep.contracts.source import Message
    from limecep.contracts.time import TimeFormat

    #: Says in words what the component has raised of a place in the pipeline and a kind.
    Words = Callable[[str, str, BaseException], str]


class SparingReader(Reader):
    """As every reader, but record by record, and with a codec and time formats that may fail.

    Args:
        words: Says in words what these have raised.
        label: The source's place in the pipeline.
        config, codec, clock, relevant, compared, formats: As of `Reader`.
    """

    def __init__(
        self,
        words: Words,
        label: str,
        config: SourceConfig,
        codec: Codec,
        clock: Clock,
        relevant: Collection[str] | None,
        compared: Mapping[str, Collection[str]],
        formats: Mapping[str, TimeFormat],
    ) -> None:
        super().__init__(config, codec, clock, relevant, compared, formats)
        self._words, self._label, self._formats = words, label, formats
        self._sparing = Sparing(codec, partial(words, label, "codec"))
        self._codec = cast("Codec", self._sparing)
        # A table that fails halfway does not say at which record.
        self._tabular = self._columns = None

    def _head(self, record: Record, message: Message) -> tuple[str, int, int | None, int]:
        try:
            return super()._head(record, message)
        except (LimecepError, Unusable, Inexact):
            raise
        except (Exception, SystemExit) as error:
            name = _raising(error, self._formats)
            if name is None:
                raise
            said = partial(self._words, f"{self._label}.{name}", "time")
            raise Unusable(self._sparing.skip(error, said)) from None


def _raising(error: BaseException, formats: Mapping[str, TimeFormat]) -> str | None:
    """What the time format reads in which an error was raised, or found; None if it is that of none."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    selves = [getattr(error, "component", None), *(frame.f_locals.get("self") for frame in frames)]
    return next((name for name, f in formats.items() if any(f is one for one in selves)), None)


class Sparing:
    """A codec that gives an `Undecodable` for a message in which another fails. What that raises to be told
    to the user, a `LimecepError`, goes on.

    Args:
        codec: The other.
        words: Says in words what it has raised.
    """

    def __init__(self, codec: Codec, words: Callable[[BaseException], str]) -> None:
        self.untyped = codec.untyped
        self._codec = codec
        self._words = words
        # What keeps nothing can be asked again about the same messages.
        self._one_by_one = isinstance(codec, Remembering)
        self._last: Message | None = None
        self._skipped = 0

    def decode(self, messages: Sequence[Message]) -> Sequence[Decoded]:
        """As of the codec."""
        if not messages:
            return []
        self._last = messages[-1]
        if not self._one_by_one and len(messages) > 1:
            try:
                return self._codec.decode(messages)
            except LimecepError:
                raise
            except (Exception, SystemExit):
                # One of them it was.
                return [pair for message in messages for pair in self._decoded(message)]
        return [pair for message in messages for pair in self._decoded(message)]

    def _decoded(self, message: Message) -> Sequence[Decoded]:
        try:
            return self._codec.decode([message])
        except LimecepError:
            raise
        except (Exception, SystemExit) as error:
            return [(message, self._undecodable(error))]

    def _undecodable(self, error: BaseException) -> Undecodable:
        return Undecodable(self.skip(error, self._words))

    def skip(self, error: BaseException, words: Callable[[BaseException], str]) -> str:
        """A message is skipped, because of an error: gives the reason."""
        self._skipped += 1
        return f"skipped: {words(error)}"

    @property
    def holding(self) -> bool:
        """As of the codec."""
        return self._codec.holding

    def finish(self) -> Sequence[Decoded]:
        """As of the codec."""
        try:
            return self._codec.finish()
        except LimecepError:
            raise
        except (Exception, SystemExit) as error:
            # What it held back began in a message before.
            return [] if self._last is None else [(self._last, self._undecodable(error))]

    def spelled(self, message: Message) -> Sequence[Record]:
        """As of the codec; nothing where that fails: numbers are then as Python spells them."""
        try:
            return self._codec.spelled(message)
        except LimecepError:
            raise
        except (Exception, SystemExit):
            return []

    def counted(self) -> dict[str, Any]:
        """As of the codec, and how many messages were `skipped`."""
        counted = self._codec.counted() if isinstance(self._codec, Counting) else {}
        return {**counted, "skipped": self._skipped} if self._skipped else counted
