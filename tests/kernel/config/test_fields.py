"""Fields that a source names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, IsTold


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("id: id", "id: [a, b, a]"), 7, "'id' names 'a' twice", ""),
        (("id: id", "payload: [a, a]"), 7, "'payload' names 'a' twice", ""),
        (("id: id", "payload: [a, '`a`']"), 7, "'payload' names '`a`' twice", ""),
        (("id: id", "payload: {a: float, '`a`': int}"), 7, "'payload' names '`a`' twice", ""),
        ("from: log, channel: a.csv, as: GasLeak, time: ts, id: []", 7, "'id' is an empty list", ""),
        ("from: log, channel: a.csv, as: GasLeak, time: ts, id: [a, 5]", 7, "'id' must be text", ""),
        (
            "from: log, channel: a.csv, as: GasLeak, time: ts, key: '$topc[1]'",
            7,
            "'$topc[1]' is not a level",
            "",
        ),
        (("id: id", "id: '$topic[1] as room'"), 7, "'$topic[1] as room' is not a level of the channel", ""),
        (("id: id", "payload: [a, '$topic[1] as a']"), 7, "'payload' names '$topic[1] as a' twice", ""),
        (("field: ts, format: epoch_s", "fields: []"), 7, "'fields' is an empty list", ""),
        (("field: ts, format: epoch_s", "fields: [a, a]"), 7, "'fields' names 'a' twice", ""),
        (("field: ts, format: epoch_s", "field: '`a'"), 7, "a backquote too few", ""),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)
