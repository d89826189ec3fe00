"""The conformance suite for codecs: subclass it in a test module, and pytest runs it.

from limecep.testing.codec import CodecConformance

class TestMyCodec(CodecConformance):
    samples = ((b"a=1", [{"a": "1"}]),)
    broken = (b"a",)

    def make_codec(self, context):
        return MyCodec(MyOptions(), context)
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import OPTIONAL, Codec, Counting, Spelled, Tabular, Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.contracts.values import json_problem
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.leaks import check_growth
from limecep.testing.messages import records
from limecep.testing.remembering import hand_over
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Decoded, Encoder, Record

#: How many messages of odd bytes are tried.
ODD = 500


class CodecConformance(Bounded):
    """What every codec must do. A test class: subclass it and say how the codec is made.

    Attributes:
        samples: Messages of one channel, in order, each with the records that it is. Among them one that
            needs nothing before it, if messages stand for themselves.
        broken: Messages that give no record, each by itself, and must be told.
        headers: The headers of all of them.
        lines: Whether they are the lines of a text (`Context.lines`).
    """

    samples: ClassVar[Sequence[tuple[bytes, Sequence[Record]]]]
    broken: ClassVar[Sequence[bytes]] = ()
    headers: ClassVar[tuple[tuple[str, bytes], ...]] = ()
    lines: ClassVar[bool] = False

    def make_codec(self, context: Context) -> Codec:
        """A new codec."""
        raise NotImplementedError

    def make_encoder(self, context: Context) -> Encoder | None:
        """A new encoder; None where it only reads."""
        return None

    @pytest.fixture
    def context(self) -> Context:
        """What components are given."""
        logger = SilentLogger()
        return Context(
            label="sources.s",
            clock=ManualClock(),
            counters=Counter(),
            logger=logger,
            pipeline="p",
            lines=self.lines,
        )

    def messages(self, values: Sequence[bytes], channel: str = "c") -> list[Message]:
        """Messages of a channel."""
        return [
            Message(value, channel, f"{channel}:{n}", headers=self.headers) for n, value in enumerate(values)
        ]

    @property
    def _sent(self) -> list[Message]:
        return self.messages([value for value, _ in self.samples])

    def _wanted(self, channel: str = "c") -> list[tuple[str, Record]]:
        return [(f"{channel}:{n}", record) for n, (_, found) in enumerate(self.samples) for record in found]

    # -- what is sound -------------------------------------------------------------------------------------

    def test_every_message_gives_its_records(self, context: Context) -> None:
        """In order, each with the message that it came from."""
        codec = self.make_codec(context)
        assert _outcomes([*codec.decode(self._sent), *codec.finish()]) == self._wanted()

    def test_it_does_not_matter_how_messages_are_cut_into_batches(self, context: Context) -> None:
        """None of them knows what was polled together."""
        for size in (1, 2, 3):
            codec = self.make_codec(context)
            found: list[Decoded] = []
            for begin in range(0, len(self._sent), size):
                found += codec.decode(self._sent[begin : begin + size])
            assert _outcomes([*found, *codec.decode([]), *codec.finish()]) == self._wanted()

    def test_channels_are_kept_apart(self, context: Context) -> None:
        """What belongs to one (a header, a record of several lines) is nothing to another."""
        codec = self.make_codec(context)
        values = [value for value, _ in self.samples]
        pairs = zip(self.messages(values, "a"), self.messages(values, "b"), strict=True)
        found = _outcomes([*codec.decode([m for pair in pairs for m in pair]), *codec.finish()])
        for channel in ("a", "b"):
            assert [o for o in found if o[0].startswith(channel)] == self._wanted(channel)

    def test_every_record_is_a_new_one(self, context: Context) -> None:
        """The kernel keeps and changes it."""
        first = [record for _, record in self.make_codec(context).decode(self._sent)]
        assert len({id(record) for record in first}) == len(first)
        for record in first:
            assert isinstance(record, dict)
            record.clear()
        again = self.make_codec(context)
        assert _outcomes([*again.decode(self._sent), *again.finish()]) == self._wanted()

    def test_records_are_what_json_knows(self, context: Context) -> None:
        """Names of fields are text, also within values: what is not would be another after a restart."""
        codec = self.make_codec(context)
        sent = [*self._sent, *self.messages(self.broken, "broken")]
        for _, record in [*codec.decode(sent), *codec.finish()]:
            assert isinstance(record, Undecodable) or not json_problem(record), json_problem(record)

    def test_text_that_means_nothing_is_text(self, context: Context) -> None:
        """Where every value is text, the kernel finds out what is a number."""
        codec = self.make_codec(context)
        if not codec.untyped:
            pytest.skip("its values have types")
        for _, record in codec.decode(self._sent):
            assert isinstance(record, dict)
            assert {type(value) for value in record.values()} <= {str}

    def test_numbers_are_spelled_as_they_stand(self, context: Context) -> None:
        """For each record the same one, but that `Spelled` tells how a number was written; or nothing."""
        codec = self.make_codec(context)
        for message in self._sent:
            found = [record for origin, record in codec.decode([message]) if origin is message]
            if found and (spelled := codec.spelled(message)):
                assert [_plain(record) for record in spelled] == found

    def test_nothing_is_held_back_after_the_end(self, context: Context) -> None:
        """And what was given once is not given again, wherever the end is."""
        for count in range(len(self._sent) + 1):
            codec = self.make_codec(context)
            codec.decode(self._sent[:count])
            codec.finish()
            assert not codec.holding
            assert [*codec.finish()] == []

    def test_another_goes_on_from_what_one_remembers(self, context: Context) -> None:
        """Wherever that is, and although it was written down as JSON."""
        for count in range(len(self._sent) + 1):
            first = self.make_codec(context)
            found = [*first.decode(self._sent[:count])]
            again = self.make_codec(context)
            hand_over(first, again)
            assert again.holding is first.holding
            found += [*again.decode(self._sent[count:]), *again.finish()]
            assert _outcomes(found) == self._wanted()

    def test_what_it_counts_can_be_reported(self, context: Context) -> None:
        """As JSON."""
        codec = self.make_codec(context)
        if not isinstance(codec, Counting):
            pytest.skip("it counts nothing")
        codec.decode([*self._sent, *self.messages(self.broken, "broken")])
        codec.finish()
        assert type(codec.counted()) is dict
        json.dumps(codec.counted())

    def test_a_table_has_the_records_that_decode_gives(self, context: Context) -> None:
        """Wherever it begins; and where there is none, decoding goes on as if nobody had asked."""
        for count in range(len(self._sent)):
            codec = self.make_codec(context)
            if not isinstance(codec, Tabular):
                pytest.skip("it gives no tables")
            found = [*codec.decode(self._sent[:count])]
            for message in self._sent[count:]:
                table = codec.table([message])
                found += codec.decode([message]) if table is None else [(message, table.record(0))]
            assert _outcomes([*found, *codec.finish()]) == self._wanted()

    def test_memory_is_bounded(self, context: Context) -> None:
        """What it keeps does not grow with what it has read."""
        codec, sent = self.make_codec(context), self._sent

        def read(n: int) -> None:
            for _ in range(n):
                codec.decode(sent)
            codec.finish()

        check_growth(read, 2_000, "batches")

    def test_no_optional_ability_is_misspelt(self, context: Context) -> None:
        """The kernel would not find it."""
        check_spelling(self.make_codec(context), Codec, OPTIONAL)

    # -- what is not ---------------------------------------------------------------------------------------

    def test_what_is_broken_is_told_and_stops_nothing(self, context: Context) -> None:
        """What comes before and after it is read."""
        for value in self.broken:
            codec = self.make_codec(context)
            (message,) = self.messages([value], "c")
            message = Message(value, "c", "broken:0", headers=self.headers)
            found = _outcomes([*codec.decode([*self._sent, message, *self._sent]), *codec.finish()])
            told = [what for position, what in found if position == "broken:0"]
            assert told, f"nothing is said of {value!r}"
            assert all(type(what) is str and what.strip() for what in told), told
            sound = [outcome for outcome in found if outcome[0] != "broken:0"]
            assert sound[: len(self._wanted())] == self._wanted()
            assert len(sound) == 2 * len(self._wanted())

    def test_what_the_transport_could_not_bring_whole_is_told(self, context: Context) -> None:
        """In the words of the transport, whatever its beginning reads like."""
        codec = self.make_codec(context)
        sent = self._sent
        cut = Message(sent[-1].value, "c", "cut:0", headers=self.headers, error="it is too long")
        found = _outcomes([*codec.decode([*sent, cut]), *codec.finish()])
        assert found == [*self._wanted(), ("cut:0", "it is too long")]

    def test_whatever_bytes_come_nothing_is_raised(self, context: Context) -> None:
        """Noise, and samples with a byte changed, cut short, or twice."""
        codec, random = self.make_codec(context), Random(7)
        values = [value for value, _ in self.samples] + [*self.broken]
        for n in range(ODD):
            value = bytearray(random.choice(values) if n % 3 else random.randbytes(random.randrange(40)))
            if value and n % 3 == 1:
                value[random.randrange(len(value))] = random.randrange(256)
            elif n % 3 == 2:
                value = value[: random.randrange(len(value) + 1)] * 2
            for message, record in codec.decode(self.messages([bytes(value)])):
                assert isinstance(message, Message)
                assert isinstance(record, (dict, Undecodable))
                assert isinstance(record, Undecodable) or not json_problem(record), json_problem(record)
        for _, record in codec.finish():
            assert isinstance(record, (dict, Undecodable))

    # -- writing -------------------------------------------------------------------------------------------

    def test_every_record_is_one_line_that_says_what_it_is(self, context: Context) -> None:
        """Whatever text its events hold."""
        encoder = self.make_encoder(context)
        if encoder is None:
            pytest.skip("it only reads")
        kind, slash, rest = encoder.content_type.partition("/")
        assert kind
        assert slash
        assert rest
        texts: list[Any] = ["ä€𝄞", "a\nb\r\n\u2028", '"\\', "", 1.5, None, {"deep": [{}]}]
        sent: list[Record] = [{**r, "events": {"a": [t]}} for r, t in zip(records(7), texts, strict=True)]
        late = {"reason": "invalid", "raw": "x\ny", "error": "odd", "source": "s", "position": "c:1"}
        for record in [*sent, late]:
            before = copy.deepcopy(record)
            line = encoder.encode(record)
            assert record == before, "the record that was given was changed: other sinks have it, too"
            assert line
            assert b"\n" not in line


def _outcomes(decoded: Sequence[Decoded]) -> list[tuple[str, Any]]:
    return [
        (message.position, record.error if isinstance(record, Undecodable) else record)
        for message, record in decoded
    ]


def _plain(value: Any) -> Any:
    """A value without the spelling of its numbers."""
    if isinstance(value, Spelled):
        return float(value)
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
