"""The suites for transports notice transports that are wrong on purpose."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

import pytest
from msgspec.structs import replace

from limecep.clock import SystemClock
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep.testing import commit_suite, messages, sink_suite, source_suite
from limecep.testing.bench import SilentLogger
from limecep.testing.lines_suite import LinesConformance
from limecep.testing.transport import Outgoing, SinkConformance, SourceConformance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from limecep.output.record import Record


class Right:
    """A source of a log in memory, which keeps what every pipeline has committed."""

    logs: ClassVar[dict[str, list[Outgoing]]] = defaultdict(list)
    committed: ClassVar[dict[tuple[str, str], int]] = {}
    ended = False
    connected = True

    def __init__(self, channel: str, context: Context) -> None:
        self.channel = channel
        self.log = self.logs[channel]
        self.context = context
        self.clock = context.clock
        self.member = (context.pipeline, channel)
        self.told: int | None = None
        self.at = 0

    def seek(self, positions: Sequence[str]) -> None:
        self.told = int(positions[0].rpartition(":")[2]) + 1

    def open(self) -> None:
        self.at = self.committed.get(self.member, len(self.log)) if self.told is None else self.told
        self.committed.setdefault(self.member, self.at)

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        if self.at == len(self.log):
            sleep(timeout)
        polled = self.log[self.at : self.at + limit]
        begin, self.at = self.at, self.at + len(polled)
        return [self.message(n, m) for n, m in enumerate(polled, begin)]

    def message(self, n: int, sent: Outgoing) -> Message:
        position = f"{self.channel}:{n}"
        return Message(sent.value, self.channel, position, self.clock.now(), sent.key, sent.headers, n)

    def commit(self, positions: Sequence[str]) -> None:
        if positions:
            self.committed[self.member] = int(positions[-1].rpartition(":")[2]) + 1

    def close(self) -> None: ...

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        return (self.message(n, m) for n, m in enumerate(self.log[: self.at]))


class ConnectsLate(Right):
    """Is connected by the first poll, which may bring what is to be read again."""

    connected = False

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        self.connected = True
        return super().poll(limit, timeout)


class Loses(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        return [m for m in super().poll(limit, timeout) if not m.position.endswith(":3")]


class Repeats(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        polled = [*super().poll(max(1, limit // 2), timeout)]
        return polled + polled[:1]


class Overtakes(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        return [*super().poll(limit, timeout)][::-1]


class BringsTooMany(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        return super().poll(limit + 1, timeout)


class BringsOne(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        return super().poll(1, timeout)


class Strips(Right):
    def message(self, n: int, sent: Outgoing) -> Message:
        return super().message(n, sent._replace(value=sent.value.strip()))


class Cuts(Right):
    def message(self, n: int, sent: Outgoing) -> Message:
        return super().message(n, sent._replace(value=sent.value[:100_000]))


class ForgetsKeys(Right):
    def message(self, n: int, sent: Outgoing) -> Message:
        return super().message(n, Outgoing(sent.value))


class StandsNowhere(Right):
    def message(self, n: int, sent: Outgoing) -> Message:
        return Message(sent.value, self.channel, self.channel, self.clock.now())


class ArrivesNever(Right):
    def message(self, n: int, sent: Outgoing) -> Message:
        return Message(sent.value, self.channel, f"{self.channel}:{n}")


class OversleepsItself(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        sleep(1.0)
        return super().poll(limit, timeout)


class WaitsForMore(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        polled = super().poll(limit, timeout)
        sleep(timeout)
        return polled


class Ends(Right):
    @property
    def ended(self) -> bool:  # type: ignore[override]
        return self.at == len(self.log)


class CommitsBySight(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        polled = super().poll(limit, timeout)
        self.commit([m.position for m in polled])
        return polled


class CommitsAll(Right):
    def commit(self, positions: Sequence[str]) -> None:
        self.committed[self.member] = self.at


class CommitsNothing(Right):
    def commit(self, positions: Sequence[str]) -> None: ...


class ForgetsWhereToGoOn(Right):
    def seek(self, positions: Sequence[str]) -> None: ...


class Misspells(Right):
    def rejects(self, message: Message, error: str) -> None: ...


class ReplaysTheFuture(Right):
    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        return [self.message(n, m) for n, m in enumerate(self.log)]


class LosesItsPlace(Right):
    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        replayed = [*(super().replay(t_from, t_to) or ())]
        self.at = 0
        return replayed


class Taped:
    """A log that can be entered anywhere; `slip` messages off."""

    def __init__(self, messages: Sequence[Message], slip: int) -> None:
        self._messages = messages
        self._slip = slip
        self._at = 0

    def __iter__(self) -> Taped:
        return self

    def __next__(self) -> Message:
        self._at += 1
        if self._at > len(self._messages):
            raise StopIteration
        return self._messages[self._at - 1]

    def skip(self, count: int) -> None:
        self._at += count - self._slip


class EntersAnywhere(Right):
    slip = 0

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        return Taped([*(super().replay(t_from, t_to) or ())], self.slip)


class EntersTooEarly(EntersAnywhere):
    slip = 1


class MisspellsItsLog(Right):
    """Whose logs could be entered anywhere."""

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        return Entered(super().replay(t_from, t_to) or ())


class Entered(list[Message]):
    def skp(self, count: int) -> None: ...


class SkipsInNoIterator(Right):
    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        return Skipped(super().replay(t_from, t_to) or ())


class Skipped(list[Message]):
    def skip(self, count: int) -> None: ...


class Divides(Right):
    """Into one part."""

    part: ClassVar[type[Right]] = Right

    def parts(self) -> Sequence[Right]:
        made = self.part(self.channel, self.context)
        made.open()
        return [made]


class HasPartsThatMisspell(Divides):
    part = Misspells


class Recognises(Divides):
    """By what its parts do not say."""

    def recognise(self, marks: Mapping[str, str]) -> None: ...


class Marks(Right):
    def mark(self, message: Message) -> str:
        return message.value.decode()


class RecognisesByItsParts(Recognises):
    part = Marks


class HasNoLogAfterAll(Right):
    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        return None


class MixesUp(Right):
    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        self.log = next(log for log in self.logs.values() if log) if any(self.logs.values()) else self.log
        return super().poll(limit, timeout)


class ClosesOnce(Right):
    closed = 0

    def close(self) -> None:
        self.closed += 1
        assert self.closed == 1, "closed twice"


class Lines(Right):
    """The lines of a text, which is there as a whole."""

    texts: ClassVar[dict[str, bytes]] = defaultdict(bytes)

    def open(self) -> None:
        *lines, rest = self.utf8(self.texts[self.channel]).split(b"\n")
        if rest and not self.left(rest):
            lines.append(rest)
        self.log = [Outgoing(line) for line in lines]
        self.at = self.told or 0

    def left(self, rest: bytes) -> bool:
        return self.context.resumes and not self.context.whole(rest)

    def utf8(self, text: bytes) -> bytes:
        return text.decode(self.context.encoding, errors="replace").encode()

    def message(self, n: int, sent: Outgoing) -> Message:
        error = self.context.encoding if "\ufffd" in sent.value.decode() else ""
        return replace(super().message(n, sent), error=error)

    @property
    def ended(self) -> bool:  # type: ignore[override]
        return self.at == len(self.log)


class ReadsHalfALine(Lines):
    def left(self, rest: bytes) -> bool:
        return False


class LeavesWhatIsWhole(Lines):
    def left(self, rest: bytes) -> bool:
        return self.context.resumes


class LeavesEverything(Lines):
    def left(self, rest: bytes) -> bool:
        return True


class KnowsNoEncodings(Lines):
    def utf8(self, text: bytes) -> bytes:
        return text.decode("latin-1").encode()


class Sources(SourceConformance):
    log = keys = headers = True

    def __init__(self, kind: type[Right]) -> None:
        self.kind = kind

    def make_channel(self) -> str:
        return uuid4().hex

    def make_source(self, channel: str, context: Context) -> Any:
        return self.kind(channel, context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        Right.logs[channel] += messages


class SourcesOfLines(Sources):
    live, lines = False, True

    def publish_text(self, channel: str, data: bytes) -> None:
        Lines.texts[channel] += data


#: What cannot be done to memory.
CANNOT = ("the connection cannot be cut", "the broker cannot be restarted", "its messages are no lines")
CASES = [name for name in dir(SourceConformance) if name.startswith("test_")]


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Context:
    monkeypatch.setattr(messages, "PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(source_suite, "PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(commit_suite, "PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(Right, "logs", defaultdict(list))
    monkeypatch.setattr(Lines, "texts", defaultdict(bytes))
    logger = SilentLogger()
    return Context(label="s", clock=SystemClock(), counters=Counter(), logger=logger, pipeline=uuid4().hex)


def run(suite: Any, case: str, context: Context) -> str:
    """Runs a case; gives why it was skipped, if it was."""
    test = getattr(suite, case)
    try:
        # Those that clean up themselves need nothing to put there.
        test(context, *([[]] if "opened" in test.__annotations__ else []))
    except pytest.skip.Exception as skipped:
        return str(skipped)
    return ""


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", [Right, ConnectsLate, EntersAnywhere, RecognisesByItsParts])
def test_a_source_that_is_right_passes(kind: type[Right], case: str, context: Context) -> None:
    skipped = run(Sources(kind), case, context)
    assert skipped in ("", "there is no such thing", *CANNOT)


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        (EntersTooEarly, "test_a_log_that_can_be_entered_gives_what_stands_there"),
        (Loses, "test_every_message_comes_once_and_in_the_order_of_its_key"),
        (Repeats, "test_every_message_comes_once_and_in_the_order_of_its_key"),
        (Overtakes, "test_every_message_comes_once_and_in_the_order_of_its_key"),
        (BringsTooMany, "test_many_messages_come_in_batches"),
        (BringsOne, "test_many_messages_come_in_batches"),
        (Strips, "test_any_bytes_come_as_they_are"),
        (Cuts, "test_a_large_message_comes_whole"),
        (ForgetsKeys, "test_keys_and_headers_come_with_the_message"),
        (StandsNowhere, "test_a_message_says_where_it_stood_and_when_it_arrived"),
        (ArrivesNever, "test_a_message_says_where_it_stood_and_when_it_arrived"),
        (OversleepsItself, "test_polling_waits_no_longer_than_it_may"),
        (WaitsForMore, "test_polling_does_not_wait_for_a_batch_to_fill"),
        (Ends, "test_it_ends_with_the_last_message_or_never"),
        (CommitsBySight, "test_what_was_not_committed_comes_again"),
        (CommitsAll, "test_what_comes_again_is_what_was_not_committed"),
        (CommitsNothing, "test_what_was_committed_does_not_come_again"),
        (ForgetsWhereToGoOn, "test_it_goes_on_from_the_positions_it_is_told"),
        (ReplaysTheFuture, "test_replay_gives_what_was_polled_and_nothing_else"),
        (LosesItsPlace, "test_replay_gives_what_was_polled_and_nothing_else"),
        (HasNoLogAfterAll, "test_what_has_no_log_says_so"),
        (MixesUp, "test_sources_of_one_connector_bring_each_its_own"),
        (ClosesOnce, "test_it_may_be_closed_twice_and_without_having_been_open"),
        (Misspells, "test_no_optional_ability_is_misspelt"),
        (HasPartsThatMisspell, "test_no_optional_ability_is_misspelt"),
        (MisspellsItsLog, "test_no_ability_of_a_log_is_misspelt"),
        (SkipsInNoIterator, "test_no_ability_of_a_log_is_misspelt"),
        (Recognises, "test_what_is_to_be_recognised_is_marked"),
    ],
)
def test_a_source_that_is_wrong_is_noticed(kind: type[Right], case: str, context: Context) -> None:
    with pytest.raises(AssertionError):
        run(Sources(kind), case, context)


OF_LINES = [name for name in vars(LinesConformance) if name.startswith("test_")]


@pytest.mark.parametrize("case", OF_LINES)
def test_a_source_of_lines_that_is_right_passes(case: str, context: Context) -> None:
    assert run(SourcesOfLines(Lines), case, context) == ""


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        (ReadsHalfALine, "test_a_line_without_end_is_left_where_a_later_run_goes_on"),
        (LeavesWhatIsWhole, "test_a_line_without_end_that_is_whole_is_not_left"),
        (LeavesEverything, "test_a_line_without_end_is_read_where_nothing_goes_on"),
        (KnowsNoEncodings, "test_text_of_another_encoding_comes_in_utf8"),
        (KnowsNoEncodings, "test_bytes_that_are_not_in_the_encoding_cost_their_line"),
    ],
)
def test_a_source_of_lines_that_is_wrong_is_noticed(kind: type[Lines], case: str, context: Context) -> None:
    with pytest.raises(AssertionError):
        run(SourcesOfLines(kind), case, context)


class Memory:
    """A sink into memory, whose records are there when they are flushed."""

    channels: ClassVar[dict[str, list[Record]]] = defaultdict(list)

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self.held: list[Record] = []

    def open(self) -> None: ...

    def send(self, records: Sequence[Record]) -> None:
        self.held += records

    def flush(self) -> None:
        self.channels[self.channel] += self.held
        self.held = []

    def close(self) -> None:
        self.flush()


class Shuffles(Memory):
    def flush(self) -> None:
        self.held.reverse()
        super().flush()


class FlushesLater(Memory):
    def flush(self) -> None: ...

    def close(self) -> None:
        super().flush()


class ClosesWithoutFlush(Memory):
    def close(self) -> None: ...


class BeginsAnew(Memory):
    def open(self) -> None:
        self.channels[self.channel].clear()


class ShowsPeople(Memory):
    for_peopel = True


class Begins(Memory):
    def beginn(self, batch: str) -> bool:
        return True


class Changes(Memory):
    def send(self, records: Sequence[Record]) -> None:
        for record in records:
            del record["cause"]
        super().send(records)


class Transacting(Memory):
    def begin(self, batch: str) -> bool:
        return True


class HasEverything(Memory):
    def begin(self, batch: str) -> bool:
        return False


class Shortens(Memory):
    def send(self, records: Sequence[Record]) -> None:
        super().send([{**r, "events": {"a": [e[:1000] for e in r["events"]["a"]]}} for r in records])


class Away(Memory):
    """Waits while the memory is away."""

    away: ClassVar[bool] = False

    def flush(self) -> None:
        while Away.away:
            sleep(0.01)
        super().flush()


class Fails(Memory):
    """Fails while it is."""

    def flush(self) -> None:
        if Away.away:
            raise RunFailure("it is away")
        super().flush()


class PassesOver(Memory):
    """Tries again later, and says that all is well."""

    def flush(self) -> None:
        if not Away.away:
            super().flush()


class Hoards(Memory):
    def __init__(self, channel: str) -> None:
        super().__init__(channel)
        self.hoard: list[Record] = []

    def send(self, records: Sequence[Record]) -> None:
        self.hoard += records


class Sinks(SinkConformance):
    def __init__(self, kind: type[Memory]) -> None:
        self.kind = kind

    def make_channel(self) -> str:
        return uuid4().hex

    def make_sink(self, channel: str, context: Context) -> Any:
        return self.kind(channel)

    def received(self, channel: str, count: int) -> list[Record]:
        return [*Memory.channels[channel]]

    @property
    def in_process(self) -> bool:  # type: ignore[override]
        return self.kind is not Hoards

    def disturbed(self) -> AbstractContextManager[None] | None:
        return cut_off() if self.kind in (Away, Fails, PassesOver) else None


@contextmanager
def cut_off() -> Iterator[None]:
    Away.away = True
    yield
    Away.away = False


@pytest.mark.parametrize("case", [name for name in vars(SinkConformance) if name.startswith("test_")])
def test_a_sink_that_is_right_passes(case: str, context: Context) -> None:
    assert run(Sinks(Memory), case, context) in (
        "",
        "it has no transactions",
        "the channel is in this process",
        *CANNOT,
    )
    assert run(Sinks(Transacting), case, context) in ("", "the channel is in this process", *CANNOT)


@pytest.mark.parametrize("kind", [Away, Fails])
def test_a_sink_that_waits_or_fails_while_it_is_cut_off_is_right(
    kind: type[Memory], context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sink_suite, "CUT_SECONDS", 0.2)
    assert run(Sinks(kind), "test_what_is_flushed_while_it_is_cut_off_is_waited_for", context) == ""


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        (Changes, "test_records_come_whole_and_in_the_order_of_their_match"),
        (HasEverything, "test_a_batch_that_it_does_not_have_is_taken"),
        (Shuffles, "test_records_come_whole_and_in_the_order_of_their_match"),
        (FlushesLater, "test_what_was_flushed_is_there_for_others"),
        (ClosesWithoutFlush, "test_closing_flushes"),
        (BeginsAnew, "test_what_comes_later_is_added"),
        (Shortens, "test_any_text_and_a_large_record_come_whole"),
        (ShowsPeople, "test_no_optional_ability_is_misspelt"),
        (Begins, "test_no_optional_ability_is_misspelt"),
        (PassesOver, "test_what_is_flushed_while_it_is_cut_off_is_waited_for"),
        (Hoards, "test_memory_is_bounded"),
    ],
)
def test_a_sink_that_is_wrong_is_noticed(kind: type[Memory], case: str, context: Context) -> None:
    with pytest.raises(AssertionError):
        run(Sinks(kind), case, context)
