"""Levels: which patterns read what others derive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.advice import event_types
from limecep.model.derivation import levels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.config.model import PatternConfig


def read_by(patterns: Sequence[PatternConfig]) -> dict[str, list[str]]:
    """The patterns whose derived events each pattern reads, by name."""
    by_type: dict[str, list[str]] = {}
    for p in patterns:
        if p.derives is not None:
            by_type.setdefault(p.derives.type, []).append(p.name)
    return {p.name: [n for t in sorted(event_types(p.pattern)) for n in by_type.get(t, ())] for p in patterns}


def levels_of(patterns: Sequence[PatternConfig]) -> dict[str, int]:
    """How many levels stand below each pattern, by name, in the order of the levels."""
    found = levels(read_by(patterns))
    return {p.name: found[p.name] for p in sorted(patterns, key=lambda p: found[p.name])}


def parted(patterns: Sequence[PatternConfig]) -> Iterator[tuple[PatternConfig, PatternConfig]]:
    """Patterns that read what another derives, each with that other, where the two are partitioned otherwise:
    what one finds for a key concerns the other for other keys."""
    by_name = {p.name: p for p in patterns}
    for name, below in read_by(patterns).items():
        for other in below:
            if by_name[name].pattern.partition != by_name[other].pattern.partition:
                yield by_name[name], by_name[other]


def circle_of(below: Mapping[str, Sequence[str]]) -> list[str]:
    """Patterns of which each reads what the next one derives, and the last what the first does; none if there
    are no such.

    Args:
        below: As of `read_by`.
    """
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            return way[way.index(name) :]
        if name in done:
            return []
        for other in below[name]:
            if found := search(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in below if (found := search(name, []))), [])
