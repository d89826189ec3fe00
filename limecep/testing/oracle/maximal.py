"""What stays of the candidates of one line (section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from limecep.model.event import Event
    from limecep.testing.oracle.building import Groups


def contained_in_no_other(candidates: Collection[Groups]) -> list[Groups]:
    """Those whose groups are not all subsets of another's."""
    bits: dict[tuple[int, int], int] = {}
    masks = [
        (sum(1 << bits.setdefault((k, id(e)), len(bits)) for k, g in enumerate(groups) for e in g), groups)
        for groups in candidates
    ]
    # Larger ones first: what is contained in another is contained in one that stays.
    masks.sort(key=lambda item: -item[0].bit_count())
    kept: list[tuple[int, Groups]] = []
    for mask, groups in masks:
        if not any(mask & ~larger == 0 for larger, _ in kept):
            kept.append((mask, groups))
    return [groups for _, groups in kept]


def without_completed(candidates: Sequence[Groups]) -> list[Groups]:
    """Rule (c): a completed run takes no more events. The end step of each takes exactly one event."""
    return [m for m in candidates if not any(_completes(other, m) for other in candidates)]


def _completes(earlier: Groups, m: Groups) -> bool:
    """Whether `earlier` ends earlier than m and its groups before the end are a prefix of m's."""
    if not sort_key(earlier[-1][0]) < sort_key(m[-1][0]):
        return False
    last = max((k for k, group in enumerate(earlier[:-1]) if group), default=None)
    if last is None:
        return False
    return earlier[:last] == m[:last] and _is_prefix(earlier[last], m[last])


def _is_prefix(short: tuple[Event, ...], long: tuple[Event, ...]) -> bool:
    return long[: len(short)] == short
