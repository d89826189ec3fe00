"""The components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.api import Undecodable, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.api import Context, Decoded, Event, Message, Plan, Record, Statistics
    from limecep_first.plugin import Most, Where


class Words:
    """A codec: `type id time`, with blanks between."""

    untyped: ClassVar[bool] = True
    holding: ClassVar[bool] = False

    def __init__(self, options: Any, context: Context) -> None:
        pass

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        """A record of each message."""
        decoded: list[Decoded] = []
        for message in messages:
            words = message.value.decode().split()
            if len(words) == 3:
                decoded.append((message, dict(zip(("type", "id", "time"), words, strict=True))))
            elif words:
                decoded.append((message, Undecodable("not three words")))
        return decoded

    def finish(self) -> list[Decoded]:
        """Nothing was held back."""
        return []

    def spelled(self, message: Message) -> list[Record]:
        """Values are text."""
        return []


class Late:
    """A lateness policy with a bound."""

    learns: ClassVar[bool] = False
    by_window: ClassVar[bool] = False

    def __init__(self, plan: Plan, options: Most, context: Context) -> None:
        self._most = options.most

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        """Later than the bound is too late."""
        behind = statistics.lta - event.t_gen
        return Verdict(
            extremely_late=behind > self._most,
            score=behind / 1e6,
            threshold=self._most / 1e6,
            reason=f"{behind / 1e6:g} s late",
        )

    def horizon(self, statistics: Statistics) -> int | None:
        """What is before it is too late."""
        return statistics.lta - self._most


class Slack:
    """A slack policy that waits always as long."""

    def __init__(self, plan: Plan, options: Most, context: Context) -> None:
        self._most = options.most

    def wait(self, statistics: Statistics) -> int:
        """Microseconds."""
        return self._most


class Shout:
    """A transform."""

    def __init__(self, options: Any, context: Context) -> None:
        pass

    def apply(self, record: Record) -> Record | None:
        """The record, louder."""
        return {**record, "loud": True}


class Lines:
    """A sink: a line a record."""

    counts_only: ClassVar[bool] = False

    def __init__(self, channel: str, settings: Any, options: Where, context: Context) -> None:
        self._path = context.root / options.path
        self._context = context
        self._lines: list[bytes] = []

    def open(self) -> None:
        """Makes the file."""
        self._path.touch()

    def send(self, records: Sequence[Record]) -> None:
        """Takes records."""
        self._lines += map(self._context.encoder.encode, records)
        self._context.counters["lines"] += len(records)

    def flush(self) -> None:
        """Writes them."""
        with self._path.open("ab") as file:
            file.writelines(line + b"\n" for line in self._lines)
        self._lines.clear()

    def close(self) -> None:
        """Writes what is left."""
        if self._lines:
            self.flush()
