"""A checked pipeline configuration: what the loader makes of a file, and assembly makes a pipeline of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from limecep.contracts.options import MaybeLive
from limecep.detection.retention import DEFAULT_LIMITS
from limecep.output.outlets import BOUND, Bound, Repeat
from limecep.registry import OWN

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.config.secrets import Secrets
    from limecep.intake.tables import TableConfig
    from limecep.local import PluginFile
    from limecep.model.derivation import Moment
    from limecep.model.pattern import Pattern, Select
    from limecep.model.picks import Pick
    from limecep.spec import ComponentSpec

#: What happens when a component fails.
OnError = Literal["fail", "skip", "disable"]
#: What a local time means that the clocks gave twice.
Fold = Literal["first", "second", "order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentConfig:
    """A component and its options (an instance of `spec.options`). `origin` is the distribution, or the file
    of the pipeline, that brings it; "" where that is not known."""

    spec: ComponentSpec
    options: Any
    origin: str = ""

    @property
    def brought(self) -> bool:
        """Whether another distribution brings it, or the pipeline itself. Other processes know it, too."""
        return self.origin not in ("", OWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeConfig:
    """How a time is read.

    Attributes:
        field: A path into the record, or `$topic[n]`.
        joined: Further fields, whose text follows that of the first, each after a blank.
        format: One of `limecep.intake.times.FORMATS`, a strptime text, or the name of the time format
            `brought`.
        zone: The zone of stamps without one, an IANA name or `UTC`; None: there are none.
        fold: Which of two instants a local time means that the clocks gave twice; `order`: readings of one
            key go forward.
        year: The year of the first stamp where stamps have none, or `arrival`: that of the arrival time.
        brought: The time format of a plugin that reads it, if one does.
    """

    field: str
    joined: tuple[str, ...] = ()
    format: str = "iso8601"
    zone: str | None = None
    fold: Fold = "first"
    year: int | Literal["arrival"] | None = None
    brought: ComponentConfig | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """All its fields."""
        return (self.field, *self.joined)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviseConfig:
    """How a source says of an event anew what it is.

    Attributes:
        version: The field with the version; None: what came last counts.
        withdrawn: The field that says that there is no such event; None where nothing does.
        values: The values with which it says so.
    """

    version: str | None = None
    withdrawn: str | None = None
    values: tuple[Any, ...] = (True,)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """One source: a block under `sources`.

    Attributes:
        name: Its name in the YAML.
        connector: The component that brings the messages.
        channel: A topic, a topic filter, a file's path or glob.
        settings: Those keys of the block that belong to the transport (`speed`, `follow`), already read.
        codec: The codec; None lets the transport choose by the channel's name.
        event_type: A fixed type, or None where `type_field` says which field holds it.
        type_map: Types by the values of that field; others are taken as they are.
        time: How event time is read; None: the arrival time.
        arrival: How arrival time is read; None: when it arrived, or for files the latest `t_gen` so far.
        id: The fields that identify an event, each a path or `$topic[n]`; empty: a digest.
        order: The sequence field, or None.
        revise: How it says anew what an event is; None where the first record about it counts.
        rank: The sequence number of all its events; None where it has none, or `order` says.
        payload: Fields kept, with the type they are turned into (`float`, `int`, `str`, `bool`, or `any`:
            left as they are); `*` stands for all others. None: all fields, as they are.
        key: The field that tells devices apart, or None.
        every: The expected period in microseconds, or None.
        max_future_skew: Microseconds an event may be ahead of its arrival, or None.
        idle_after: Microseconds of silence after which the source holds time back no more, or None.
        on_error: `fail`; or `skip`: a message in which the codec fails goes to the late output.
    """

    name: str
    connector: ComponentConfig
    channel: str
    settings: Any = None
    codec: ComponentConfig | None = None
    event_type: str | None = None
    type_field: str | None = None
    type_map: dict[str, str] = field(default_factory=dict)
    time: TimeConfig | None = None
    arrival: TimeConfig | None = None
    id: tuple[str, ...] = ()
    order: str | None = None
    revise: ReviseConfig | None = None
    rank: int | None = None
    payload: dict[str, str] | None = None
    key: str | None = None
    every: int | None = None
    max_future_skew: int | None = None
    idle_after: int | None = None
    on_error: OnError = "fail"

    @property
    def levels(self) -> str:
        """What separates the levels of a channel."""
        return self.connector.spec.levels

    @property
    def live(self) -> bool:
        """Whether messages come as things happen; else they are a recording, which ends."""
        return is_live(self.connector.spec, self.settings)


def is_live(spec: ComponentSpec, settings: Any) -> bool:
    """Whether a source with these settings never ends by itself."""
    return "finite" not in spec.capabilities or (isinstance(settings, MaybeLive) and settings.live)


class DeriveConfig(NamedTuple):
    """What a pattern derives: events of a `type`, which happen at one of three moments of the match."""

    type: str
    time: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternConfig:
    """One pattern, parameters not bound yet. `on_error` is `fail`, or `disable`: it stops where its engine or
    a policy fails, and others go on. `functions` are those that its conditions call, `tables` the names of
    those that they look into. `derives` is what its matches are to other patterns, if anything. `begins` is
    where it begins if it is new to a state: `now`, `memory`, `beginning` or a time in microseconds;
    `announce` whether matches of the time before then go out."""

    name: str
    pattern: Pattern
    select: Select
    engine: ComponentConfig
    lateness: ComponentConfig
    slack: ComponentConfig
    recompute: ComponentConfig
    results: ComponentConfig
    max_per_end: int = 1_000_000
    pick: Pick | None = None
    on_error: OnError = "fail"
    functions: tuple[ComponentConfig, ...] = ()
    tables: tuple[str, ...] = ()
    derives: DeriveConfig | None = None
    begins: Literal["now", "memory", "beginning"] | int = "memory"
    announce: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkConfig:
    """One sink: `of` says what goes there, `events` how much of each event. `patterns` empty: all. `envelope`
    is what records are wrapped in, if anything; `through` changes them before. `implied`: the file names
    none, and a run has to say it somewhere. `on_error` is `fail`, or `disable`: it is sent nothing more once
    it has failed, and others go on. `bound` is how much may wait for it in a state. `repeat` is how it is
    told of matches again."""

    name: str
    connector: ComponentConfig
    channel: str = ""
    settings: Any = None
    of: Literal["updates", "late"] = "updates"
    events: Literal["full", "ids", "none"] = "full"
    patterns: tuple[str, ...] = ()
    envelope: ComponentConfig | None = None
    through: tuple[ComponentConfig, ...] = ()
    implied: bool = False
    on_error: OnError = "fail"
    bound: Bound = BOUND
    repeat: Repeat | None = None

    @property
    def taken(self) -> tuple[str, ...]:
        """The patterns whose updates it has to be handed; none for all."""
        until = () if self.repeat is None or not self.repeat.until else (self.repeat.until,)
        return (*self.patterns, *until) if self.patterns else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserverConfig:
    """One observer. `on_error` is `fail`, or `disable`: it is told nothing more once it has failed."""

    name: str
    component: ComponentConfig
    on_error: OnError = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineConfig:
    """A whole pipeline. `root` is the folder of its file: relative paths are below it. `state` is the state
    store, if there is one; its journal keeps events `state_keep` microseconds behind the latest, and it is
    written at most every `state_every` microseconds.
    `runner` is where the command runs it; None: in its process. `plugins` are the files that it brings along:
    they stand first, so that wherever it is unpickled their classes are known. `secrets` keeps out of
    messages what `${...}` put into it; None where there is none."""

    plugins: tuple[PluginFile, ...] = ()
    name: str
    root: Path
    params: dict[str, Any] = field(default_factory=dict)
    tables: tuple[TableConfig, ...] = ()
    sources: tuple[SourceConfig, ...] = ()
    patterns: tuple[PatternConfig, ...] = ()
    sinks: tuple[SinkConfig, ...] = ()
    retention_time: int | None = None
    retention_events: int = DEFAULT_LIMITS.events
    retention_bytes: int | None = DEFAULT_LIMITS.size
    state: ComponentConfig | None = None
    state_every: int = 0
    state_keep: int = 0
    runner: ComponentConfig | None = None
    observers: tuple[ObserverConfig, ...] = ()
    secrets: Secrets | None = field(default=None, repr=False, compare=False)

    @property
    def derives(self) -> bool:
        """Whether some pattern derives events, which stand in no log of a source."""
        return any(p.derives for p in self.patterns)

    @property
    def sequenced(self) -> bool:
        """Whether events of one time have an order that a source declares (SEMANTICS 1)."""
        return any(s.order is not None or s.rank is not None for s in self.sources)
