"""What the options of observers refuse."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_observers.config import OtlpOptions, OtlpTracesOptions, PrometheusOptions


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"port": -1}, "'port' must be from 0 to 65535"),
        ({"port": 65_536}, "'port' must be from 0 to 65535"),
        ({"stuck_after": 0}, "'stuck_after' must be more than 0"),
        ({"commit_within": 0}, "'commit_within' must be more than 0"),
        ({"missed": 0}, "'missed' must be more than 0"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        PrometheusOptions(**given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"endpoint": "collector:4318"}, "'endpoint' must begin with http:// or https://"),
        ({"endpoint": "file:///etc/passwd"}, "'endpoint' must begin with"),
        ({"every": 0}, "'every' must be more than 0"),
        ({"timeout": 0}, "'timeout' must be more than 0"),
    ],
)
def test_so_is_what_no_collector_is_reached_by(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        OtlpOptions(**given)


def test_by_default_nobody_else_reaches_it() -> None:
    assert PrometheusOptions().host == "127.0.0.1"


def test_a_wait_for_a_collector_is_half_a_second_at_least() -> None:
    with pytest.raises(ValueError, match="'retry_max' must be at least 500ms"):
        OtlpTracesOptions(retry_max=499_999)
