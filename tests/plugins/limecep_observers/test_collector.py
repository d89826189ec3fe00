"""What a collector is asked, and what it says."""

from __future__ import annotations

from typing import Any
from urllib.error import HTTPError

import pytest

from limecep_observers.collector import Collector, attributes
from limecep_observers.config import OtlpOptions


def made(endpoint: str) -> Collector:
    return Collector(
        OtlpOptions(endpoint=endpoint, headers={"X-Token": "t"}), "things", "rejectedThings", "things"
    )


def test_a_request_goes_to_the_path_of_its_signals(collector: Any) -> None:
    assert made(f"{collector.endpoint}/").take({"a": attributes({"b": "c"})}) == ""
    [(path, headers, request)] = collector.requests
    assert (path, headers["X-Token"]) == ("/v1/things", "t")
    assert request == {"a": [{"key": "b", "value": {"stringValue": "c"}}]}


def test_what_is_not_taken_is_told_and_what_is_refused_raises(collector: Any) -> None:
    collector.answer = (200, b'{"partialSuccess": {"rejectedThings": 2, "errorMessage": "old"}}')
    assert made(collector.endpoint).take({}) == "2 things were rejected: old"
    collector.answer = (401, b"")
    with pytest.raises(HTTPError, match="401"):
        made(collector.endpoint).take({})
