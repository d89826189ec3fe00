"""Sinks whose files are in the way of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, IsTold


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (
            ("{type: stdout}", "{type: file, path: a}\n  two: {to: log, channel: ./x/../a}"),
            19,
            "sinks 'out' and 'two' write the same file [conflict]",
            "",
        ),
        (("{type: stdout}", "{to: log, channel: gas.csv}"), 18, "a file that source 'gas' reads", ""),
        (
            ("{type: stdout}", "{to: log, channel: '{pattern}.csv'}"),
            18,
            "put in for {pattern}",
            "no templates",
        ),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)
