"""Which patterns read what others derive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.levels import circle_of, levels_of, parted, read_by
from limecep.config.loader import load_dict

if TYPE_CHECKING:
    from limecep.config.model import PatternConfig
    from limecep.registry import Registry


def patterns(registry: Registry, **queries: str) -> tuple[PatternConfig, ...]:
    """The patterns of these queries, each deriving events of its name."""
    named: dict[str, Any] = {
        name: {"query": f"PATTERN {query}", "derive": {"as": name.upper()}} for name, query in queries.items()
    }
    config = load_dict({"version": 1, "patterns": named}, registry).config
    assert config is not None
    return config.patterns


def test_a_pattern_stands_above_all_that_it_reads(installed: Registry) -> None:
    made = patterns(
        installed,
        top="SEQ(LEFT a, !RIGHT b) WITHIN 5 s",
        left="SEQ(LOW a) WITHIN 5 s",
        right="SEQ(X a) WITHIN 5 s",
        low="SEQ(X a) WITHIN 5 s",
    )
    assert read_by(made) == {"top": ["left", "right"], "left": ["low"], "right": [], "low": []}
    assert levels_of(made) == {"right": 0, "low": 0, "left": 1, "top": 2}


def test_levels_are_parted_where_their_partitions_differ(installed: Registry) -> None:
    made = patterns(
        installed,
        low="SEQ(X a) WITHIN 5 s PARTITION BY k",
        same="SEQ(LOW a) WITHIN 5 s PARTITION BY k",
        other="SEQ(LOW a) WITHIN 5 s",
    )
    assert [(above.name, below.name) for above, below in parted(made)] == [("other", "low")]


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ({"a": [], "b": ["a"], "c": ["a", "b"]}, []),
        ({"a": ["a"]}, ["a"]),
        ({"x": ["a"], "a": ["b"], "b": ["c"], "c": ["a"]}, ["a", "b", "c"]),
    ],
)
def test_a_circle_is_found(below: dict[str, list[str]], expected: list[str]) -> None:
    assert circle_of(below) == expected
