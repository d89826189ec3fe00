"""The blocks of a pipeline file, each with the keys that the kernel itself takes.

What a component takes beyond these stands in its own options. A field of type `Node` or `Block` is read
further by the module that the block belongs to; its metadata says what may stand there, for the JSON Schema:

    holds    a kind of component (its name, or a block with `type`), or the class of a block
    several  whether it is a list of those
    capable  the capability that such a component must have
    adds     the class of a block whose keys stand beside those of the component
    names    what each of the names is that the block gives: parameter, connector, source, pattern, sink
    choices  all there is
    least    how many items a list has at least
    instead  another key of the block, of which and this one exactly one is given
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep.config.nodes import Block, Listing, Node, Scalar  # noqa: TC001 - looked up at run time
from limecep.detection.retention import DEFAULT_LIMITS
from limecep.intake.payload import CONVERTERS
from limecep.output.outlets import BOUND
from limecep.spec import option

#: What a declared field may be turned into; `any` leaves it as it is.
PAYLOAD_TYPES = ("any", *CONVERTERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeBlock:
    """`as: {field, map}`."""

    field: Scalar | None = option(None, help="The field that holds the event type.", required=True)
    map: dict[str, str] = option({}, help="Event types by the values of that field.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeBlock:
    """`time: {field, format, zone, ...}`, and `arrival` alike."""

    field: Scalar | None = option(None, help="The field that holds the time.", example="ts", instead="fields")
    fields: Listing | None = option(
        None,
        help="The fields that hold it, where there are several: their text is joined by blanks.",
        example=["date", "time"],
        least=1,
    )
    format: Node | None = option(
        None,
        help="How it is written: iso8601, epoch_s, epoch_ms, epoch_us, epoch_ns, filetime, a strptime text, "
        "in which %L is milliseconds, or a time format of a plugin. Default: iso8601.",
        example="epoch_ms",
        holds="time",
        text=True,
    )
    zone: Scalar | None = option(None, help="The time zone of stamps without one.", example="Europe/Athens")
    fold: Literal["first", "second", "order"] = option(
        "first",
        help="Which of the two a local time is that a change of the clocks gives twice; 'order' goes by the "
        "order of the input, in which readings of one type and key go forward.",
    )
    year: int | Literal["arrival"] | None = option(
        None,
        help="The year of the first stamp, for stamps that have none; later ones are of the year that brings "
        "them near. Or 'arrival': the year that brings them near their arrival.",
        example=2026,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnBlock:
    """`withdrawn: {field, is}`."""

    field: Scalar | None = option(None, help="The field that says so.", required=True, example="op")
    is_: Scalar | Listing | None = option(
        None,
        name="is",
        help="The value, or the values, with which it says so. Default: true.",
        example=["delete", "d"],
        least=1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviseBlock:
    """`revise: {version, withdrawn}`."""

    version: Scalar | None = option(
        None,
        help="The field with a number that grows with every record about an event: the record with the "
        "greatest counts. By default the one that came last.",
        example="revision",
    )
    withdrawn: Block | None = option(
        None, help="What says that there is no such event.", holds=WithdrawnBlock
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBlock:
    """A source."""

    from_: Scalar | None = option(None, name="from", help="The connector that brings it.")
    channel: str = option("", help="A topic, a topic filter, a file's path or glob.", required=True)
    format: Node | None = option(
        None, help="The codec; by default JSON, for files by their name.", holds="codec"
    )
    as_: Node | None = option(
        None,
        name="as",
        help="The event type, or the field that holds it; some formats say it themselves.",
        example="Reading",
        required=True,
        holds=TypeBlock,
    )
    time: Node | None = option(
        None, help="The field with the event time; by default the arrival time.", holds=TimeBlock
    )
    arrival: Node | None = option(None, help="The field with the arrival time.", holds=TimeBlock)
    id: Scalar | Listing | None = option(None, help="The field or fields that identify an event.", least=1)
    order: Scalar | None = option(None, help="The field that orders events of one time.")
    rank: int | None = option(
        None,
        help="Orders its events after those of lower rank at one time; a source without 'rank' and 'order' "
        "has 0.",
        example=2,
    )
    revise: Block | None = option(
        None,
        help="Records may say of an event, by its id, that it is different now, or never was; results then "
        "follow. By default the first record about an event counts.",
        holds=ReviseBlock,
    )
    payload: Listing | Block | None = option(
        None,
        help="The fields to keep, as a list or each with its type; '*' stands for all others. By default "
        "all, as they are.",
        choices=PAYLOAD_TYPES,
    )
    key: Scalar | None = option(None, help="The field that tells devices apart.")
    on_error: Literal["fail", "skip"] = option(
        "fail",
        help="What an error in the codec, or in a time format, does: 'fail' ends the run; 'skip' has the "
        "message go to the late output.",
    )
    every: int | None = option(None, unit="duration", help="How often a device is expected to report.")
    max_future_skew: int | None = option(
        None,
        unit="duration",
        help="How far an event may be ahead of its arrival; 'off' for any. Default: 5m for brokers.",
    )
    idle_after: int | None = option(
        None,
        unit="duration",
        help="The silence after which a source holds time back no more; or 'off'. Where all sources of a "
        "pattern are that silent, event time goes on at the pace of the clock. Default: 30s for brokers.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsBlock:
    """What the kernel itself takes from `results`."""

    max_per_end: int = option(1_000_000, help="The most matches, and work, for one end event.")
    pick: Literal["first", "last", "longest", "shortest"] | None = option(
        None,
        help="The one match of an end event that is a result: the first to start, the last, the longest, the "
        "shortest; by default all are.",
    )

    def __post_init__(self) -> None:
        if self.max_per_end < 1:
            raise ValueError("'max_per_end' must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeriveBlock:
    """`derive: {as, time}`."""

    as_: Scalar | None = option(
        None,
        name="as",
        help="The type of the events, as other patterns name it.",
        required=True,
        example="Overheated",
    )
    time: Literal["start", "end", "deadline"] = option(
        "end",
        help="When they happen: with the first or the last event of the match, or when the window is over "
        "in which something was not to come.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternBlock:
    """A pattern."""

    query: Scalar | None = option(None, help="The pattern: PATTERN ... WITHIN ...", required=True)
    select: Literal["stnm", "stam", "sc"] | None = option(
        None, help="The selection policy; by default that of the query, else stnm."
    )
    engine: Node | None = option(None, help="The engine.", holds="engine")
    lateness: Node | None = option(None, help="The lateness policy.", holds="lateness")
    slack: Node | None = option(None, help="The slack policy.", holds="slack")
    recompute: Node | None = option(None, help="The recompute policy.", holds="recompute")
    results: Node | None = option(None, help="The result policy.", holds="results", adds=ResultsBlock)
    on_error: Literal["fail", "disable"] = option(
        "fail",
        help="What an error in its engine or in one of its policies does: 'fail' ends the run; 'disable' "
        "stops this pattern alone.",
    )
    derive: Block | None = option(
        None,
        help="Its matches are events that other patterns read, with the values of RETURN and the attributes "
        "of PARTITION BY as payload.",
        holds=DeriveBlock,
    )
    from_: Scalar | None = option(
        None,
        name="from",
        help="Where it begins if it is new to a state, or changed: with the events in 'memory', the default; "
        "at the 'beginning' of the journal, or at a time, such as 2026-03-01T00:00Z; 'now'.",
        example="beginning",
    )
    announce: bool = option(True, help="Whether matches of the time before go out, marked as backfill.")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxBlock:
    """`outbox` of a sink."""

    bytes: int = option(
        BOUND.size, unit="bytes", help="How much may wait in the state for the sink.", example="64MB"
    )
    when_full: Literal["wait", "drop_oldest"] = option(
        "wait", help="What happens where there is more: the input waits, or what has waited longest goes."
    )

    def __post_init__(self) -> None:
        if self.bytes < 1:
            raise ValueError("'bytes' must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatBlock:
    """`repeat` of a sink."""

    every: int = option(
        unit="duration", help="After how long, by the arrival clock, it is told again.", example="10m"
    )
    until: Scalar | None = option(
        None,
        help="The pattern whose matches acknowledge those with the same key, or, where it is partitioned by "
        "'match', the one with that id. Its own records do not go to the sink.",
        example="acknowledged",
    )
    most: int = option(100, help="How often at most.")

    def __post_init__(self) -> None:
        if self.every < 1_000_000:
            raise ValueError("'every' must be at least 1s")
        if self.most < 1:
            raise ValueError("'most' must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkBlock:
    """A sink."""

    to: Scalar | None = option(None, help="The connector that takes it.")
    channel: str = option("", help="A topic or a file's path.")
    of: Literal["updates", "late"] = option("updates", help="What goes there.")
    events: Literal["full", "ids", "none"] = option("full", help="How much of each event.")
    envelope: Node | None = option(
        None,
        help="What records are wrapped in; by default nothing.",
        example="cloudevents",
        holds="codec",
        capable="envelope",
    )
    through: tuple[Node, ...] = option(
        (),
        help="What changes records on their way there, one after the other.",
        example=[{"type": "mask", "fields": ["user"]}],
        holds="transform",
        several=True,
    )
    patterns: tuple[Scalar, ...] = option(
        (), help="The patterns whose updates go there; by default all.", least=1
    )
    on_error: Literal["fail", "disable"] = option(
        "fail",
        help="What an error in it does: 'fail' ends the run; 'disable' has others go on without it.",
    )
    outbox: Block | None = option(
        None,
        help="How much may wait for it where the pipeline keeps a state: nothing else waits for a sink that "
        "is away.",
        holds=OutboxBlock,
    )
    repeat: Block | None = option(
        None,
        help="Has it told of a match again and again, until the match is acknowledged or taken back.",
        holds=RepeatBlock,
        example={"every": "10m", "until": "acknowledged"},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionBlock:
    """`retention`."""

    time: int | Literal["auto"] = option(
        "auto", unit="duration", help="How long events are kept; 'auto' is as long as patterns need them."
    )
    events: int = option(DEFAULT_LIMITS.events, help="How many events are kept at most.")
    bytes: int | None = option(
        DEFAULT_LIMITS.size,
        unit="bytes",
        help="How much memory events and what is known of matches may take at most, judged by samples; or "
        "'off'. The process itself needs some more.",
        example="256MB",
    )

    def __post_init__(self) -> None:
        if self.events < 1:
            raise ValueError("'events' must be at least 1")
        if self.bytes is not None and self.bytes < 1:
            raise ValueError("'bytes' must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class StateBlock:
    """What the kernel itself takes from `state`."""

    every: int = option(
        0,
        unit="duration",
        help="How often it is written at most, which spares flash. Results go out, and messages are "
        "acknowledged, that much later.",
        example="1s",
    )
    keep: int = option(
        3_600_000_000,
        unit="duration",
        help="How long events that memory has let go are kept behind the latest event time, so that results "
        "are repaired when others come late.",
        example="6h",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineBlock:
    """The top of the file."""

    version: Node | None = option(
        None, help="The version of this format.", example=1, required=True, choices=(1,)
    )
    name: str | None = option(None, help="The pipeline's name; by default that of the file.")
    plugins: Listing | None = option(
        None,
        help="Python files with components that only this pipeline uses, relative to its file. They are run "
        "wherever it is read.",
        example=["./mine.py"],
        least=1,
    )
    params: Block | None = option(None, help="Values for the $parameters of patterns.", names="param")
    tables: Block | None = option(
        None,
        help="Rows in which the conditions of patterns look values up, by name.",
        example={"limits": {"from": "files", "channel": "limits.csv", "key": "machine"}},
        names="table",
    )
    connectors: Block | None = option(None, help="Brokers and the like, by name.", names="connector")
    sources: Block | None = option(None, help="Where events come from, by name.", names="source")
    patterns: Block | None = option(None, help="What to look for, by name.", required=True, names="pattern")
    sinks: Block | None = option(
        None, help="Where updates go, by name; by default standard output.", names="sink"
    )
    state: Node | None = option(
        None, help="Where a pipeline keeps what must survive a crash.", holds="state", adds=StateBlock
    )
    retention: Block | None = option(
        None, help="How long, and how many, events are kept.", holds=RetentionBlock
    )
    runner: Node | None = option(None, help="Where `limecep run` runs it.", holds="runner")
    observers: Block | None = option(
        None,
        help="Who is told how the pipeline is doing, by name.",
        example={"metrics": {"type": "prometheus"}},
        names="observer",
    )
