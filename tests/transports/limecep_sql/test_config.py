"""Options of SQL are checked."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_sql.config import SqlOptions, SqlSettings


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(ValueError, match="'url' must be an address"):
        SqlOptions(url="h")
    with pytest.raises(ValueError, match="'retry_max' must"):
        SqlOptions(url="sqlite:///x", retry_max=1)


@pytest.mark.parametrize("settings", [{"by": ""}, {"every": 1}, {"gaps": -1}])
def test_so_it_is_of_a_source(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"'{next(iter(settings))}' must"):
        SqlSettings(**settings)


def test_a_table_has_a_name() -> None:
    options = SqlOptions(url="sqlite:///x")
    assert [*map(options.vet, ("t", "s.t"))] == [[], []]
    assert [p.code for channel in ("", "s.", ".t") for p in options.vet(channel)] == ["bad-channel"] * 3
