"""The suite for codecs notices codecs that are wrong on purpose."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Decoded, Record, Spelled, Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep.testing.codec import CodecConformance

if TYPE_CHECKING:
    from collections.abc import Sequence


class Right:
    """Numbers between commas, each a record; what ends with a backslash goes on in the next message."""

    untyped: ClassVar[bool] = False
    content_type = "text/plain"

    def __init__(self) -> None:
        self.held: dict[str, list[Message]] = {}

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        return [outcome for message in messages for outcome in self.one(message)]

    def one(self, message: Message) -> list[Decoded]:
        held = self.held.pop(message.channel, [])
        if message.error:
            return [*(self.read(held) if held else []), (message, Undecodable(message.error))]
        if message.value.endswith(b"\\"):
            self.held[message.channel] = [*held, message]
            return []
        return self.read([*held, message])

    def read(self, messages: Sequence[Message]) -> list[Decoded]:
        whole = b"".join(m.value.removesuffix(b"\\") for m in messages)
        return [(messages[0], self.record(part)) for part in whole.split(b",")]

    def record(self, part: bytes) -> Record | Undecodable:
        try:
            return {"n": float(part)}
        except ValueError:
            return Undecodable(f"{part!r} is no number")

    @property
    def holding(self) -> bool:
        return bool(self.held)

    def remembered(self) -> Any:
        return msgspec.to_builtins(self.held)

    def recall(self, known: Any) -> None:
        self.held = msgspec.convert(known, dict[str, list[Message]])

    def counted(self) -> dict[str, Any]:
        return {}

    def finish(self) -> list[Decoded]:
        held, self.held = self.held, {}
        return [outcome for messages in held.values() for outcome in self.read(messages)]

    def spelled(self, message: Message) -> list[Record]:
        # What stands in several messages is not told.
        return [{"n": Spelled(p.decode())} for p in message.value.split(b",") if b"\\" not in message.value]

    def encode(self, record: Record) -> bytes:
        return repr(record).encode()


class Reverses(Right):
    def read(self, messages: Sequence[Message]) -> list[Decoded]:
        return super().read(messages)[::-1]


class EndsWithTheBatch(Right):
    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        return super().decode(messages) + self.finish()


class MixesUp(Right):
    def one(self, message: Message) -> list[Decoded]:
        if any(channel != message.channel for channel in self.held):
            return [(message, Undecodable("what?"))]
        return super().one(message)


class GivesItsOwn(Right):
    known: ClassVar[dict[bytes, Record | Undecodable]] = {}

    def record(self, part: bytes) -> Record | Undecodable:
        return self.known.setdefault(part, super().record(part))


class KeepsHolding(Right):
    def finish(self) -> list[Decoded]:
        return [outcome for messages in self.held.values() for outcome in self.read(messages)]


class SpellsOthers(Right):
    def spelled(self, message: Message) -> list[Record]:
        return super().spelled(message)[1:]


class SaysNothing(Right):
    def record(self, part: bytes) -> Record | Undecodable:
        found = super().record(part)
        return Undecodable("") if isinstance(found, Undecodable) else found


class Stops(Right):
    stopped = False

    def read(self, messages: Sequence[Message]) -> list[Decoded]:
        found = [] if self.stopped else super().read(messages)
        self.stopped = self.stopped or any(isinstance(record, Undecodable) for _, record in found)
        return found


class Raises(Right):
    def record(self, part: bytes) -> Record | Undecodable:
        part.decode()
        return super().record(part)


class ReadsBeginnings(Right):
    def one(self, message: Message) -> list[Decoded]:
        return self.read([*self.held.pop(message.channel, []), message])


class ForgetsWhatItHolds(Right):
    def recall(self, known: Any) -> None: ...


class NamesByNumber(Right):
    def record(self, part: bytes) -> Any:
        return {"n": [{1: part.decode()}]}


class CountsInAList(Right):
    def counted(self) -> Any:
        return [1]


class Misspells(Right):
    text = frozenset[str]()


class IsNotUntyped(Right):
    untyped = True


class KeepsMessages(Right):
    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        self.kept = [getattr(self, "kept", None), messages[:1], [0] * 20]
        return super().decode(messages)


class ChangesWhatItWrites(Right):
    def encode(self, record: Record) -> bytes:
        record["written"] = True
        return super().encode(record)


class WritesLines(Right):
    def encode(self, record: Record) -> bytes:
        return repr(record).encode() + b"\n"


class HasNoType(Right):
    content_type = "text"


class Suite(CodecConformance):
    samples = (
        (b"1.50,7", [{"n": 1.5}, {"n": 7.0}]),
        (b"2\\", [{"n": 23.0}, {"n": 4.0}]),
        (b"3,4", []),
        (b"5", [{"n": 5.0}]),
    )
    broken = (b"x",)

    def __init__(self, kind: type[Right]) -> None:
        self.kind = kind

    def make_codec(self, context: Context) -> Right:
        return self.kind()

    def make_encoder(self, context: Context) -> Any:
        return self.kind()


CASES = [name for name in vars(CodecConformance) if name.startswith("test_")]


def run(kind: type[Right], case: str) -> None:
    logger = SilentLogger()
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=logger, pipeline="p")
    getattr(Suite(kind), case)(context)


@pytest.mark.parametrize("case", CASES)
def test_a_codec_that_is_right_passes(case: str) -> None:
    if case == "test_text_that_means_nothing_is_text":
        with pytest.raises(pytest.skip.Exception, match="its values have types"):
            run(Right, case)
    else:
        run(Right, case)


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        (Reverses, "test_every_message_gives_its_records"),
        (EndsWithTheBatch, "test_it_does_not_matter_how_messages_are_cut_into_batches"),
        (MixesUp, "test_channels_are_kept_apart"),
        (GivesItsOwn, "test_every_record_is_a_new_one"),
        (NamesByNumber, "test_records_are_what_json_knows"),
        (IsNotUntyped, "test_text_that_means_nothing_is_text"),
        (SpellsOthers, "test_numbers_are_spelled_as_they_stand"),
        (KeepsHolding, "test_nothing_is_held_back_after_the_end"),
        (SaysNothing, "test_what_is_broken_is_told_and_stops_nothing"),
        (Stops, "test_what_is_broken_is_told_and_stops_nothing"),
        (ReadsBeginnings, "test_what_the_transport_could_not_bring_whole_is_told"),
        (ForgetsWhatItHolds, "test_another_goes_on_from_what_one_remembers"),
        (Misspells, "test_no_optional_ability_is_misspelt"),
        (CountsInAList, "test_what_it_counts_can_be_reported"),
        (KeepsMessages, "test_memory_is_bounded"),
        (ChangesWhatItWrites, "test_every_record_is_one_line_that_says_what_it_is"),
        (WritesLines, "test_every_record_is_one_line_that_says_what_it_is"),
        (HasNoType, "test_every_record_is_one_line_that_says_what_it_is"),
    ],
)
def test_a_codec_that_is_wrong_is_noticed(kind: type[Right], case: str) -> None:
    with pytest.raises(AssertionError):
        run(kind, case)


def test_a_codec_that_raises_is_noticed() -> None:
    with pytest.raises(UnicodeDecodeError):
        run(Raises, "test_whatever_bytes_come_nothing_is_raised")
