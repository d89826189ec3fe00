"""What observers are told."""

from __future__ import annotations

import dataclasses

import pytest

from limecep.contracts.observer import Figures, SourceFigures


def test_a_source_has_read_all_that_had_an_outcome() -> None:
    assert SourceFigures(name="s", outcomes={"in_order": 3, "invalid": 1}).read == 4


@pytest.mark.parametrize(
    ("silent", "idle_after", "idle"),
    [(31.0, 30.0, True), (30.0, 30.0, False), (None, 30.0, False), (31.0, None, False)],
)
def test_a_source_is_idle_after_its_idle_timeout(
    silent: float | None, idle_after: float | None, idle: bool
) -> None:
    assert SourceFigures(name="s", silent=silent, idle_after=idle_after).idle is idle


def test_nobody_can_change_figures() -> None:
    figures = Figures(pipeline="p", version="1", phase="running")
    with pytest.raises(dataclasses.FrozenInstanceError):
        figures.phase = "ended"  # type: ignore[misc]
