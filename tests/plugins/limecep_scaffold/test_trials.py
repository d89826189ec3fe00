"""A suite is run, and what came of its tests is told."""

from __future__ import annotations

import time

import pytest

from limecep_scaffold.trials import Outcome, tried


class Suite:
    def test_it_passes(self) -> None: ...

    def test_it_fails(self) -> None:
        raise AssertionError("it is wrong")

    def test_it_is_skipped(self) -> None:
        pytest.skip("there is no such thing")

    def test_it_sleeps(self) -> None:
        time.sleep(60)


def test_each_test_is_told_as_it_ends_and_none_goes_on_for_ever() -> None:
    told: list[Outcome] = []
    assert tried(type("TestSuite", (Suite,), {}), 0.5, told.append) == told
    found = {outcome.test: (outcome.outcome, outcome.why.splitlines()[:1]) for outcome in told}
    assert found["it passes"] == ("passed", [])
    assert found["it fails"] == ("failed", ["AssertionError: it is wrong"])
    assert found["it is skipped"] == ("skipped", ["there is no such thing"])
    outcome, [why] = found["it sleeps"]
    assert outcome == "failed"
    assert "it does not end within 0.5 s" in why
