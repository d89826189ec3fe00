"""The year of stamps that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Edited


@pytest.mark.parametrize(("channel", "warned"), [("'m*.csv'", True), ("m.csv", False)])
def test_one_year_for_the_files_of_a_glob_is_a_warning(edited: Edited, channel: str, warned: bool) -> None:
    time = "{field: ts, format: '%b %d %H:%M:%S', zone: UTC, year: 2026}"
    loaded = edited(f"from: log, channel: {channel}, as: GasLeak, time: {time}")
    assert ("fixed-year" in [p.code for p in loaded.problems]) is warned
    assert loaded.config is not None


def test_one_year_for_what_goes_on_is_a_warning(edited: Edited) -> None:
    time = "{field: ts, format: '%b %d %H:%M:%S', zone: UTC, year: 2026}"
    source = f"type: broker, url: x, channel: gas, id: id, as: GasLeak, time: {time}"
    assert [(p.severity, p.code) for p in edited(source).problems] == [("warning", "fixed-year")]
