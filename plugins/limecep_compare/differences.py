"""Differences between the results of two pipelines, by pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Record = Mapping[str, Any]
    Matches = Mapping[str, Record]

#: What a match is, besides when and why it was told.
_SAID = ("content", "values")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is different of one pattern.

    Attributes:
        pattern: Its name.
        there: In which of the two pipelines it is.
        before, after: How many matches there are.
        come, gone: The matches that are in one alone, in order of their ends.
        changed: Those that are in both under one id, and say something else: as before, and as after.
    """

    pattern: str
    there: Literal["both", "old", "new"]
    before: int
    after: int
    come: tuple[Record, ...]
    gone: tuple[Record, ...]
    changed: tuple[tuple[Record, Record], ...]

    @property
    def any(self) -> bool:
        """Whether there is a difference."""
        return bool(self.come or self.gone or self.changed)


def differences(old: Mapping[str, Matches], new: Mapping[str, Matches]) -> Iterator[Difference]:
    """What is different, by pattern: those of the new pipeline in its order, then those that are gone.

    Args:
        old, new: The matches that stand, by pattern and by `match`.
    """
    for name in [*new, *[n for n in old if n not in new]]:
        before, after = old.get(name, {}), new.get(name, {})
        both = [(before[m], after[m]) for m in after if m in before]
        yield Difference(
            pattern=name,
            there="both" if name in old and name in new else "new" if name in new else "old",
            before=len(before),
            after=len(after),
            come=_in_order(after[m] for m in after if m not in before),
            gone=_in_order(before[m] for m in before if m not in after),
            changed=tuple(
                sorted(
                    [pair for pair in both if any(pair[0].get(k) != pair[1].get(k) for k in _SAID)],
                    key=lambda pair: _place(pair[1]),
                )
            ),
        )


def _in_order(records: Iterator[Record]) -> tuple[Record, ...]:
    return tuple(sorted(records, key=_place))


def _place(record: Record) -> tuple[Any, ...]:
    return record["end"], record["start"], record["match"]
