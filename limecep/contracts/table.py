"""Tables bring the rows in which conditions look values up: `limits[a.machine].max`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep.contracts.source import Message


class ReferenceTable(Protocol):
    """Made once for each table of a pipeline: `Factory(channel, options, context)`, the channel being what
    its block says, "" where it says nothing.

    Rows are read once, before the first event, and stay what they are for the run. Which columns are the key,
    and from when on a row holds, is the kernel's business.

    Capabilities (`limecep.spec.ComponentSpec`): `channel`, it must be told one; `messages`, its rows come in
    messages, which `Context.rows` makes rows of; `checked`, reading it takes a moment, so that `limecep
    check` reads it, too (`Context.checking`), and knows its columns. If it cannot be read then, that is a
    warning, or an error where its options have an attribute `unread` that is "fail".
    """

    def rows(self) -> Iterable[Mapping[str, Any]]:
        """Every row, from the first to the last: values by the names of the columns, as JSON knows them, or
        as a program would feed them (dates, decimals). Called once. What it opens it closes, also where it
        fails.

        Raises:
            RunFailure: They cannot be read; the message says why, and goes on after "cannot be read: ".
        """


class RowReader(Protocol):
    """For tables with the capability `messages`: makes rows of these, with the codec that `format` says."""

    def read(self, messages: Sequence[Message]) -> Iterator[Mapping[str, Any]]:
        """The rows of the next messages, in order. One that cannot be decoded is noted, and told."""

    def finish(self) -> Iterator[Mapping[str, Any]]:
        """What the codec held back for more to come. To be called at the end."""
