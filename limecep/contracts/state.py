"""State stores keep what must survive a crash of a pipeline."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Row(NamedTuple):
    """One row.

    Attributes:
        number: Its number, from 1 to 2**62.
        name: What it belongs to: text of at most 300 characters.
        value: What it says: bytes that mean nothing to the store.
    """

    number: int
    name: str
    value: bytes


class StateStore(Protocol):
    """Made once a pipeline: `Factory(options, context)`. It knows nothing of events and matches: it keeps
    rows, by number, and a journal, whose segments each have a range of time.

    Duties:
        Everything written since the last commit is there wholly or not at all, whenever the process, or with
        `durable` the machine, was stopped; but who wrote it reads it at once. What is read reflects all
        writes before it, also while it is iterated over and more is written.

        While it is open no other process may open it; that of a process that was killed may be opened at
        once. What was not committed when it is closed is dropped. `close` may be called twice, and without
        `open`.

        The bytes of a batch are small (kilobytes) or large (hundreds of megabytes, in many rows).
    """

    def open(self) -> None:
        """Opens the state, or begins one where there is none.

        Raises:
            RunFailure: Another process has it open, it is damaged, of another version of the store, or cannot
                be written.
        """

    def peek(self) -> None:
        """Opens the state to be looked at, even where another process has it open. Nothing may be written.

        Raises:
            RunFailure: There is none, it is damaged, or of another version of the store.
        """

    def rows(self, name: str | None = None) -> Iterator[Row]:
        """The rows with a name, or all, in the order of their numbers."""

    @abstractmethod
    def put(self, rows: Iterable[Row]) -> None:
        """Writes rows, in place of those with the same numbers."""

    @abstractmethod
    def delete(self, numbers: Iterable[int]) -> None:
        """Deletes rows. There need not be rows with these numbers."""

    @abstractmethod
    def append(self, first: int, last: int, value: bytes) -> None:
        """Writes a segment at the end of the journal: events from `first` to `last`, in microseconds."""

    def segments(self, low: int, high: int) -> Iterator[bytes]:
        """The segments that have anything of a range, both ends included, in the order in which they were
        appended."""

    @abstractmethod
    def trim(self, before: int) -> None:
        """Deletes the segments that end before a time."""

    @abstractmethod
    def commit(self, *, durable: bool = True) -> None:
        """Keeps what was written. Not `durable`: a power failure may undo it, as if it had never been
        committed; the crash of a process does not.

        Raises:
            RunFailure: It cannot be kept.
        """

    def close(self) -> None:
        """Lets go of the state."""

    @abstractmethod
    def reset(self) -> None:
        """Deletes the state, which is not open.

        Raises:
            RunFailure: There is none, another process has it open, or it cannot be deleted.
        """

    def figures(self) -> dict[str, Any]:
        """What there is to say of how it is kept: such as its `path`, its size in `bytes`."""
