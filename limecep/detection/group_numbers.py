"""Numbers for the groups of patterns, which stay what they are whatever other patterns come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

from limecep.contracts.tables import Form

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from limecep.model.event import Event

#: Numbers are above: what is below is a place in the order that groups had when a state was begun.
_PLACES = 1 << 32


class GroupNumbers:
    """Writes groups into a state, and reads them.

    Args:
        labels: What stands for each group, in any run.

    Attributes:
        in_order: Their numbers in the order in which the state was begun.
    """

    def __init__(self, labels: Mapping[Hashable, str]) -> None:
        self._numbers = {group: _PLACES + crc32(label.encode()) for group, label in labels.items()}
        self._groups = {number: group for group, number in self._numbers.items()}
        self.in_order: Sequence[int] = [*self._groups]

    def of(self, groups: Iterable[Hashable]) -> list[int]:
        """The numbers of some groups."""
        return [self._numbers[group] for group in groups]

    def numbers(self, written: Collection[int]) -> list[int]:
        """The numbers that are meant by some in a state."""
        return [n if n >= _PLACES else self.in_order[n] for n in written]

    def groups(self, written: Collection[int]) -> list[Hashable]:
        """The groups that are meant by some numbers in a state, as far as there are any patterns of them."""
        return [self._groups[n] for n in self.numbers(written) if n in self._groups]

    def refusals(self) -> Form[Any, Any]:
        """How refusals stand in a state: an identity, the groups or None for all, a `t_gen`."""

        def write(identity: Any, refusal: Any) -> Any:
            refused, t_gen = refusal
            return [identity, None if refused is None else self.of(refused), t_gen]

        def read(value: Any, events: Mapping[int, Event]) -> Any:
            identity, refused, t_gen = value
            return tuple(identity), (None if refused is None else frozenset(self.groups(refused)), t_gen)

        return Form(write, read)
