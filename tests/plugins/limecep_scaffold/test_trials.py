"""A suite is run, and what came of its tests is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from limecep_scaffold.trials import Outcome, tried

if TYPE_CHECKING:
    from pathlib import Path


class Suite:
    def test_it_passes(self) -> None: ...

    def test_it_fails(self) -> None:
        raise AssertionError("it is wrong")

    def test_it_is_skipped(self) -> None:
        pytest.skip("there is no such thing")

    def test_it_sleeps(self) -> None:
        time.sleep(60)


def test_an_assertion_that_pytest_has_not_rewritten_is_told_with_its_values(tmp_path: Path) -> None:
    # As those of suites that were imported before.
    code = (
        "def test_it_compares(self):\n    came, sent = [1], [1, 2]\n    other = 5\n    assert came == sent\n"
    )
    (tmp_path / "plain.py").write_text(code)
    names: dict[str, Any] = {}
    exec(compile(code, str(tmp_path / "plain.py"), "exec"), names)
    suite = type("TestSuite", (), {"test_it_compares": names["test_it_compares"]})
    [outcome] = tried(suite, 5, lambda outcome: None)
    line, *values, place = outcome.why.splitlines()
    assert line == "assert came == sent"
    assert [v.split() for v in values] == [["came", "=", "[1]"], ["sent", "=", "[1,", "2]"]]
    assert place.endswith("plain.py:4")


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
