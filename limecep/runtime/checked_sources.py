"""Sources that others brought, with everything looked at that they give.

A message whose time is text, or whose value is no bytes, would fail far from the source, or be blamed on the
codec, and nobody would know whose mistake that is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from limecep.contracts.shown import shown
from limecep.contracts.source import Bulk, Log, Message
from limecep.contracts.stand_in import refresh, stand_in
from limecep.errors import ContractBreach
from limecep.intake.messages import message_problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.contracts.source import Source

    Act = Callable[..., Any]


def checked(source: Any, owner: Any = None) -> Source:
    """A stand-in for a source. It raises `ContractBreach` where the source gives what its contract rules out.

    Args:
        source: The source.
        owner: The component whose part it is, if it is one.
    """
    looking = _Looking(source, source if owner is None else owner)
    made: Source = stand_in(source, looking.looks)
    looking.made = made
    return made


class _Looking:
    """Looks at what a source gives."""

    made: Any = None

    def __init__(self, source: Any, owner: Any) -> None:
        self._source = source
        self.guarded = owner
        self.looks: dict[str, Callable[[Any], Any]] = {
            "open": self._open,
            "poll": self._poll,
            "replay": self._replay,
            "parts": self._parts,
            "mark": self._mark,
            "fields": self._fields,
            "speed": self._speed,
            "progress": self._progress,
            "ended": self._ended,
        }

    def _open(self, act: Act) -> Act:
        def look() -> None:
            act()
            # What it knows only once it is open, such as its fields, it may have set only now.
            refresh(self.made, self.looks)

        return look

    def _poll(self, act: Act) -> Act:
        def look(limit: int, timeout: float) -> Sequence[Message]:
            given = act(limit, timeout)
            if not isinstance(given, Sequence) or (given and not isinstance(given[0], Message)):
                self._breach(f"polled {shown(given)}: no sequence of messages")
            messages: Sequence[Message] = given
            for message in messages.ends if isinstance(messages, Bulk) else messages:
                self._sound(message)
            if isinstance(messages, Bulk):
                for value in messages.values:
                    if not isinstance(value, bytes):
                        self._breach(f"polled the value {shown(value)} of a message, no bytes")
            return messages

        return look

    def _replay(self, act: Act) -> Act:
        def look(t_from: int, t_to: int) -> Iterable[Message] | None:
            given = act(t_from, t_to)
            if given is None or isinstance(given, Log):
                return given
            if not isinstance(given, Iterable):
                self._breach(f"replayed {shown(given)}, neither messages nor None")
            return self._each(given)

        return look

    def _each(self, given: Iterable[Any]) -> Iterator[Message]:
        for message in given:
            self._sound(message)
            yield message

    def _parts(self, act: Act) -> Act:
        def look() -> Sequence[Source]:
            given = act()
            if not isinstance(given, Sequence):
                self._breach(f"gave {shown(given)} as its parts, no sequence of sources")
            for part in given:
                for name in ("poll", "ended", "commit", "replay"):
                    if not hasattr(part, name):
                        self._breach(f"gave {shown(part)} as a part, which has no '{name}'")
            return [checked(part, self.guarded) for part in given]

        return look

    def _mark(self, act: Act) -> Act:
        def look(message: Message) -> str:
            given = act(message)
            if not isinstance(given, str):
                self._breach(f"marked a message with {shown(given)}, no text")
            mark: str = given
            return mark

        return look

    def _fields(self, given: Any) -> Any:
        if given is not None and (isinstance(given, str) or not _texts(given)):
            self._breach(f"has the fields {shown(given)}, neither names nor None")
        return given

    def _speed(self, given: Any) -> Any:
        if given is not None and not (type(given) in (int, float) and given > 0):
            self._breach(f"has the speed {shown(given)}, neither a number above 0 nor None")
        return given

    def _progress(self, given: Any) -> Any:
        if given is not None and not (isinstance(given, tuple) and [type(n) for n in given] == [int, int]):
            self._breach(f"has the progress {shown(given)}, neither bytes read and in all nor None")
        return given

    def _ended(self, given: Any) -> Any:
        if not isinstance(given, bool):
            self._breach(f"has {shown(given)} as 'ended', neither True nor False")
        return given

    def _sound(self, message: Any) -> None:
        """Sees to it that a message is one."""
        if said := message_problem(message):
            self._breach(said)

    def _breach(self, what: str) -> NoReturn:
        raise ContractBreach(self.guarded, what)


def _texts(given: Any) -> bool:
    return isinstance(given, Collection) and all(isinstance(one, str) for one in given)
