"""Why a match came that nobody expected."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins.limecep_test.conftest import case

if TYPE_CHECKING:
    from tests.plugins.limecep_test.conftest import House

EVENTS = "gas3(percent=62) heat5 smoke21 heat10@24"


def why(house: House, expect: str, events: str = EVENTS, more: str = "") -> list[str]:
    """What a failing test says below its differences."""
    (result,) = house.results(case(events, expect, more))
    assert not result.passed
    return list(result.why)


@pytest.mark.parametrize("expect", ["net: []", "updates: []"])
def test_the_first_match_that_was_not_expected_is_explained(house: House, expect: str) -> None:
    said = why(house, expect)
    assert said[:2] == ["", "why"]
    assert said[2].startswith("  fire  ")
    assert "    g.percent > $limit:  62 > 40  true" in said
    assert sum(line.startswith("  fire  ") for line in said) == 1


def test_the_values_are_those_of_the_test(house: House) -> None:
    assert "    g.percent > $limit:  62 > 50  true" in why(house, "net: []", more="params: {limit: 50}")


def test_nothing_is_explained_where_only_something_is_missing(house: House) -> None:
    assert why(house, "net: [fire g=gas3 h=heat5 s=smoke21]", "gas3(percent=2) heat5 smoke21") == []


def test_nothing_is_explained_where_the_command_is_not_there(house: House) -> None:
    (ready,) = house.prepared(case(EVENTS, "net: []")).tests
    without: Any = SimpleNamespace(find=lambda kind, name: None)
    assert replace(ready, registry=without).run().why == ()
