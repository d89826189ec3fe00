"""A message in which the codec fails gives no event, and says why; the messages around it do."""

from __future__ import annotations

import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec
from limecep.clock import ManualClock
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep.intake.checked import checked
from limecep.intake.reader import Reader
from limecep.intake.sparing import SparingReader

if TYPE_CHECKING:
    from collections.abc import Sequence


class Codec:
    untyped = False
    holding = False

    def decode(self, messages: Sequence[Message]) -> Any:
        return [(m, self.record(m.value)) for m in messages]

    def record(self, value: bytes) -> Any:
        if value == b"fatal":
            raise RunFailure("the schema is gone")
        if value == b"odd":
            return ["no", "record"]
        return {"id": value.decode(), "ts": int(value)}

    def finish(self) -> Any:
        raise KeyError("rest")

    def spelled(self, message: Message) -> Any:
        return []


class Remembering(Codec):
    """Numbers what it read: a message is not to be read twice."""

    def __init__(self) -> None:
        self.read: list[bytes] = []

    def record(self, value: bytes) -> Any:
        self.read.append(value)
        return super().record(value)

    def remembered(self) -> Any:
        return len(self.read)

    def recall(self, known: Any) -> None: ...


def reader(codec: Codec, formats: Any = MappingProxyType({})) -> SparingReader:
    connector = ComponentConfig(
        spec=ComponentSpec(kind="source", name="x", factory="m:X", summary="x"), options=None
    )
    config = SourceConfig(
        name="s",
        connector=connector,
        channel="c",
        event_type="A",
        id=("id",),
        time=TimeConfig(field="ts", format="mine" if formats else "epoch_s"),
    )

    def words(label: str, kind: str, error: BaseException) -> str:
        return f"the {kind} of {label} raised {error!r}"

    return SparingReader(words, "sources.s", config, checked(codec), ManualClock(), None, {}, formats)


def messages(*values: bytes) -> list[Message]:
    return [Message(value, "c", f"c:{n}") for n, value in enumerate(values)]


@pytest.mark.parametrize("codec", [Codec(), Remembering()])
def test_messages_around_it_are_read(codec: Codec) -> None:
    made = reader(codec)
    batch = made.read(messages(b"1", b"x", b"odd", b"4"))
    assert [e.id for e in batch.events] == ["1", "4"]
    assert [(i.position, i.raw) for i in batch.invalid] == [("c:1", "x"), ("c:2", "odd")]
    assert batch.invalid[0].error.startswith("skipped: the codec of sources.s raised ValueError(")
    assert "gave (Message(" in batch.invalid[1].error
    [rest] = made.finish().invalid
    assert (rest.error, rest.position) == ("skipped: the codec of sources.s raised KeyError('rest')", "c:3")
    assert made.counted() == {"skipped": 3}
    if isinstance(codec, Remembering):
        assert codec.read == [b"1", b"x", b"odd", b"4"]


def test_what_it_raises_to_be_told_ends_the_run() -> None:
    with pytest.raises(RunFailure, match="the schema is gone"):
        reader(Codec()).read(messages(b"1", b"fatal"))


class Weeks:
    """A time format that fails in several ways."""

    def read(self, value: Any) -> Any:
        if value == 2:
            raise KeyError("week")
        if value == 3:
            raise ValueError("has no week")
        if value == 4:
            sys.exit(0)
        return "soon" if value == 5 else value


def test_a_record_in_whose_time_a_format_fails_is_passed_over_too() -> None:
    made = reader(Codec(), {"time": Weeks()})
    batch = made.read(messages(b"1", b"2", b"3", b"4", b"5", b"6"))
    assert [e.id for e in batch.events] == ["1", "6"]
    assert [i.error.partition(" raised ")[0] for i in batch.invalid] == [
        "skipped: the time of sources.s.time",
        "time 'ts' is no time of the format 'mine': it has no week",
        "skipped: the time of sources.s.time",
        "skipped: the time of sources.s.time",
    ]
    assert "ContractBreach(\"gives 'soon' for 5" in batch.invalid[3].error
    assert made.counted()["skipped"] == 3


def test_an_error_of_the_kernel_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*of: object) -> None:
        raise KeyError("a mistake")

    monkeypatch.setattr(Reader, "_head", failing)
    with pytest.raises(KeyError, match="a mistake"):
        reader(Codec(), {"time": Weeks()}).read(messages(b"1"))
