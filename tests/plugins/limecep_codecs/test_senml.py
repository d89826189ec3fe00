"""Packs are resolved as RFC 8428 says, with its own examples."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Spelled, Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep_codecs.config import SenmlOptions
from limecep_codecs.senml import SenmlCodec

NOW = 1_767_607_200_000_000


def codec() -> SenmlCodec:
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    return SenmlCodec(SenmlOptions(), context)


def message(pack: Any, t_arr: int | None = NOW) -> Message:
    value = pack if isinstance(pack, str) else json.dumps(pack)
    return Message(value.encode(), "t", "t:1", t_arr)


def resolved(pack: Any, t_arr: int | None = NOW) -> list[Any]:
    return [record for _, record in codec().decode([message(pack, t_arr)])]


def test_base_values_hold_for_all_that_follow() -> None:
    """RFC 8428, 5.1.2 and 5.1.3."""
    pack = """[
        {"bn":"urn:dev:ow:10e2073a0108006:","bt":1.276020076001e+09,"bu":"A","bver":5,"n":"voltage","u":"V","v":120.1},
        {"n":"current","t":-5,"v":1.2},
        {"n":"current","t":-4,"v":1.3}]"""
    found = resolved(pack)
    assert [(r["name"], r["unit"], r["time"], r["value"]) for r in found] == [
        ("urn:dev:ow:10e2073a0108006:voltage", "V", 1276020076.001, 120.1),
        ("urn:dev:ow:10e2073a0108006:current", "A", 1276020071.001, 1.2),
        ("urn:dev:ow:10e2073a0108006:current", "A", 1276020072.001, 1.3),
    ]


def test_values_may_be_text_truth_and_bytes() -> None:
    """RFC 8428, 5.1.5."""
    pack = [
        {"bn": "urn:dev:ow:10e2073a01080063:", "n": "temp", "u": "Cel", "v": 23.1},
        {"n": "label", "vs": "Machine Room"},
        {"n": "open", "vb": False},
        {"n": "nfc-reader", "vd": "aGkgCg"},
    ]
    assert [(r["n"], r["value"]) for r in resolved(pack)] == [
        ("temp", 23.1), ("label", "Machine Room"), ("open", False), ("nfc-reader", "aGkgCg")
    ]  # fmt: skip


def test_values_and_sums_are_added_to_their_bases_exactly() -> None:
    pack = '[{"bn": "a", "bv": 0.1, "bs": 10}, {"v": 0.2, "s": 1.5, "ut": 30}, {"vs": "x"}]'
    one, two = resolved(pack)
    assert (one["value"], one["sum"], one["update"]) == (0.3, 11.5, 30)
    assert (two["value"], two["sum"]) == ("x", 10)


@pytest.mark.parametrize(
    ("times", "seconds"),
    [({}, 0), ({"t": -60}, -60), ({"bt": -10, "t": -0.5}, -10.5), ({"bt": 0, "t": 5}, 5)],
)
def test_small_times_are_relative_to_the_arrival(times: dict[str, float], seconds: float) -> None:
    [record] = resolved([{"n": "a", "v": 1, **times}])
    assert record["time"] == NOW / 1_000_000 + seconds
    [record] = resolved([{"n": "a", "v": 1, **times}], None)
    assert "time" not in record


def test_times_are_spelled_to_the_microsecond() -> None:
    pack = '[{"bt": 1320067464.000001, "n": "a", "t": 0.0000005, "v": 1}, 7]'
    [spelled, none] = codec().spelled(message(pack))
    assert spelled["time"] == "1320067464.0000015"
    assert isinstance(spelled["time"], Spelled)
    assert none == {}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (7, "it is no object"),
        ({"n": "a"}, "it has no value ('v', 'vs', 'vb', 'vd' or 's')"),
        ({"v": 1}, "it has no name ('n', or 'bn' before it)"),
        ({"n": 1, "v": 1}, "'n' is no text"),
        ({"n": "a", "v": True}, "'v' is no number"),
        ({"n": "a", "vb": 1}, "'vb' is neither true nor false"),
        ({"n": "a", "v": 1, "vs": "x"}, "it has several values"),
        ({"n": "a", "v": 1, "bver": 11}, "version 11 of SenML is not known"),
        ({"n": "a", "v": 1, "new_": 1}, "'new_' must be understood, and is not known"),
    ],
)
def test_what_is_not_sound_is_told_and_does_not_harm_the_rest(entry: Any, said: str) -> None:
    first, second = resolved([entry, {"n": "b", "v": 2, "new": 1}])
    assert first == Undecodable(f"measurement 1 of the pack: {said}")
    assert second["name"] == "b"


def test_numbers_without_measure_are_told() -> None:
    assert resolved('[{"n": "a", "v": 1e999999}]') == [
        Undecodable("measurement 1 of the pack: 'v' is too large")
    ]
    assert resolved('[{"n": "a", "v": 1e-999999}]')[0]["value"] == 0


def test_what_is_no_pack_is_told() -> None:
    assert resolved({"n": "a"}) == [Undecodable("not a SenML pack: it is no list of objects")]
    assert resolved([]) == []
