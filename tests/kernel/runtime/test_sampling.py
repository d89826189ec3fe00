"""Samples of sources, taken before a pipeline runs."""

from __future__ import annotations

import os
from asyncio import CancelledError
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import ComponentFailure
from limecep_codecs.csv_codec import CsvCodec

if TYPE_CHECKING:
    from conftest import Sampling

SOURCE = {
    "type": "file",
    "channel": "s.csv",
    "as": {"field": "kind"},
    "time": {"field": "t", "format": "epoch_s"},
}


def rows(count: int, kind: str = "A", begin: int = 1_800_000_000) -> list[str]:
    return [f"{begin + n},{kind},{n}" for n in range(count)]


def test_no_more_is_read_than_asked_for(sampling: Sampling) -> None:
    sampling.write("s.csv", rows(5000))
    (sample,) = sampling.samples(100, s=SOURCE)
    assert (sample.read, sample.whole) == (100, False)
    (sample,) = sampling.samples(9000, s=SOURCE)
    assert (sample.read, sample.whole) == (5000, True)


def test_of_several_files_each_has_its_share(sampling: Sampling) -> None:
    for n in range(4):
        sampling.write(f"s{n}.csv", rows(50, kind=f"K{n}"))
    (sample,) = sampling.samples(40, s={**SOURCE, "channel": "s*.csv"})
    assert sorted({e.type for e in sample.events}) == ["K0", "K1", "K2", "K3"]
    assert sample.read == 40


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"follow": True}, "it is live"),
        ({"channel": "-", "format": "csv"}, "standard input can be read once"),
    ],
)
def test_what_is_live_or_can_be_read_once_is_left_alone(
    sampling: Sampling, more: dict[str, Any], why: str
) -> None:
    sampling.write("s.csv", rows(5))
    (sample,) = sampling.samples(10, s={**SOURCE, **more})
    assert (sample.unread, sample.read) == (why, 0)


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), SystemExit(0), CancelledError()])
def test_a_component_that_raises_is_named(
    error: BaseException, sampling: Sampling, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decode(self: object, messages: object) -> None:
        raise error

    sampling.write("s.csv", rows(5))
    monkeypatch.setattr(CsvCodec, "decode", decode)
    monkeypatch.setattr(CsvCodec, "table", lambda self, messages: None, raising=False)
    with pytest.raises(ComponentFailure, match=r"sources\.s: codec 'csv'"):
        sampling.samples(10, s=SOURCE)


def test_a_pipe_is_not_drained(sampling: Sampling) -> None:
    os.mkfifo(sampling.folder / "s.csv")
    writer = os.open(sampling.folder / "s.csv", os.O_RDWR)
    os.write(writer, b"t,kind,v\n1,A,1\n")
    try:
        (sample,) = sampling.samples(10, s=SOURCE)
        assert (sample.unread, sample.read) == ("it can be read once", 0)
        assert os.read(writer, 100) == b"t,kind,v\n1,A,1\n"
    finally:
        os.close(writer)
