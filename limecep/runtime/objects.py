"""Objects of a program as sources and sinks of its pipeline, without a plugin.

A source is an object with the methods of `limecep.contracts.source.Source`, an iterable (a generator, a list)
of what can be fed, or a callable that gives what there is now. A sink is an object with the methods of
`limecep.contracts.sink.Sink`, a callable that takes a record, or a list that records are appended to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from inspect import isawaitable, iscoroutinefunction
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.clock import SystemClock, pause
from limecep.config.blocks import SinkBlock, SourceBlock
from limecep.config.document import from_object
from limecep.config.nodes import Block
from limecep.config.options import keys
from limecep.contracts.codec import Undecodable
from limecep.contracts.source import Message
from limecep.errors import ContractBreach
from limecep.intake.fields import Unusable
from limecep.intake.given import InvalidEvent, Records, attributes, rows
from limecep.intake.raw import RAW_CHARACTERS
from limecep.intake.reader import Batch, Invalid, Reader
from limecep.model.event import Event
from limecep.protocols import PROTOCOLS
from limecep.registry import Plugin, Registry
from limecep.spec import ComponentSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.config.findings import Findings
    from limecep.config.nodes import Entry, Node
    from limecep.contracts.codec import Decoded
    from limecep.contracts.context import Context
    from limecep.output.record import Record

#: How long a live source that has nothing is left alone, in seconds.
_NAP_SECONDS = 0.01
#: The field of the type where a source does not say how records are read.
_TYPE = "type"
_HERE = "limecep.runtime.objects"
_SOURCE = ("open", "poll", "ended", "commit", "close")
_SINK = ("open", "send", "flush", "close")
#: The keys of a block that say where a connector is, which an object takes the place of.
_ELSEWHERE = frozenset({"from", "to", "type", "channel", "format", "envelope"})

#: The components that stand for objects. `live_object` does not end by itself.
SPECS = [
    ComponentSpec(
        kind="source",
        name="object",
        factory=f"{_HERE}:Given",
        summary="What a program gives, up to its end",
        capabilities=frozenset({"finite"}),
    ),
    ComponentSpec(
        kind="source",
        name="live_object",
        factory=f"{_HERE}:Given",
        summary="What a program gives as it comes",
    ),
    ComponentSpec(kind="sink", name="object", factory=f"{_HERE}:Taking", summary="What a program takes"),
    ComponentSpec(
        kind="codec", name="object", factory=f"{_HERE}:ObjectCodec", summary="Events and records of a program"
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    """The objects of a program, by the names of sources and sinks.

    Raises:
        TypeError: One of them is neither a source nor a sink, or is used as the other.
    """

    sources: Mapping[str, Any]
    sinks: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name, given in self.sources.items():
            if not (_has(given, _SOURCE) or callable(given) or isinstance(given, Iterable)):
                raise TypeError(
                    f"source '{name}' is {given!r}: give an iterable, a callable, or an object with the "
                    f"methods of a source, {', '.join(_SOURCE)}"
                )
            if _has(given, _SOURCE):
                _check(f"source '{name}'", given, "source")
        for name, given in self.sinks.items():
            if iscoroutinefunction(given) or isinstance(given, type):
                raise TypeError(
                    f"sink '{name}' is {given!r}: give a list, or a function that is called with each "
                    "record; nobody awaits what it gives"
                )
            if not (_has(given, _SINK) or callable(given) or isinstance(given, list)):
                raise TypeError(
                    f"sink '{name}' is {given!r}: give a callable, a list, or an object with the methods of "
                    f"a sink, {', '.join(_SINK)}"
                )
            if _has(given, _SINK):
                _check(f"sink '{name}'", given, "sink")

    def registry(self, registry: Registry) -> Registry:
        """The components there are, and the objects."""
        return _WithObjects(registry, self)

    def placed(self, root: Block, findings: Findings) -> Block:
        """The document with the objects in the places of the sources and sinks of their names."""
        entries = dict(root.entries)
        for room, objects, own in (
            ("sources", self.sources, keys(SourceBlock)),
            ("sinks", self.sinks, keys(SinkBlock)),
        ):
            if not objects:
                continue
            there = entries[room].value if room in entries else None
            blocks = dict(there.entries) if isinstance(there, Block) else {}
            for name, given in objects.items():
                old = blocks[name].value if name in blocks else None
                kept = {
                    key: entry
                    for key, entry in (old.entries if isinstance(old, Block) else {}).items()
                    if key in own and key not in _ELSEWHERE
                }
                made = _entries(_source(given, kept) if room == "sources" else {"type": "object"}, findings)
                if room == "sources" and _has(given, _SOURCE) and isinstance(old, Block):
                    kept |= {k: old.entries[k] for k in ("format",) if k in old.entries}
                block = _entries({name: {}}, findings)[name]
                assert isinstance(block.value, Block)
                blocks[name] = _with(block, Block(entries=made | kept, origin=block.value.origin))
            room_entry = _entries({room: {}}, findings)[room]
            entries[room] = _with(room_entry, Block(entries=blocks, origin=room_entry.value.origin))
        return Block(entries=entries, origin=root.origin)


def _source(given: Any, kept: Mapping[str, Entry]) -> dict[str, Any]:
    """The block of a source, but for what the file says of it."""
    live = not getattr(given, "finite", False) if _has(given, _SOURCE) else callable(given)
    block: dict[str, Any] = {"type": "live_object" if live else "object", "channel": "object"}
    if not _has(given, _SOURCE):
        block["format"] = "object"
    if "as" not in kept:
        block["as"] = {"field": _TYPE}
    return block


def _entries(value: dict[str, Any], findings: Findings) -> dict[str, Entry]:
    node: Node = from_object(value, findings)
    assert isinstance(node, Block)
    return node.entries


def _with(entry: Entry, value: Block) -> Entry:
    return type(entry)(key=entry.key, value=value)


def _has(given: Any, methods: Sequence[str]) -> bool:
    return not isinstance(given, type) and all(hasattr(given, name) for name in methods)


def _check(what: str, given: Any, kind: str) -> None:
    """Sees to it that the methods of an object can be called as their contract says.

    Raises:
        TypeError: They cannot.
    """
    from limecep.contracts.duties import misformed

    contract = PROTOCOLS[kind]
    if said := misformed(given, contract):
        raise TypeError(f"{what} is {given!r:.100}, which breaks {contract}: {said}")


def _looked_at(source: Any) -> Any:
    """A source with everything looked at that it gives. One without `replay` has no log."""
    from limecep.runtime.checked_sources import checked

    made = checked(source)
    if not hasattr(source, "replay"):
        setattr(type(made), "replay", lambda made, t_from, t_to: None)  # noqa: B010
    return made


class _WithObjects(Registry):
    """A registry whose components `object` are the objects of a program."""

    def __init__(self, registry: Registry, objects: Objects) -> None:
        super().__init__((*SPECS, *registry._loose), plugins=registry.plugins)
        self._objects = objects

    def extended(self, plugins: Iterable[Plugin]) -> Registry:
        return _WithObjects(super().extended(plugins), self._objects)

    def make(self, spec: ComponentSpec, *args: Any) -> Any:
        if spec not in SPECS:
            return super().make(spec, *args)
        context: Context = args[-1]
        kind, _, name = context.label.partition(".")
        if spec.kind == "codec":
            return ObjectCodec()
        given = self._objects.sources[name] if kind == "sources" else self._objects.sinks[name]
        if _has(given, _SOURCE if kind == "sources" else _SINK):
            if kind == "sources":
                return _looked_at(given)
            return given if hasattr(given, "counts_only") else Whole(given)
        return Given(name, given) if kind == "sources" else Taking(given)


class Whole:
    """A sink that does not say whether it counts only: it takes records."""

    counts_only: ClassVar[bool] = False

    def __init__(self, sink: Any) -> None:
        self._sink = sink

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sink, name)


class Given:
    """A source of what an iterable or a callable gives.

    Args:
        name: The name of the source.
        given: An iterable of what can be fed; or a callable that gives, each time, an event, several or None
            for the end.
    """

    def __init__(self, name: str, given: Any) -> None:
        self._name = name
        self._ask: Callable[[], Any] | None = given if callable(given) else None
        self._left = None if self._ask is not None else rows(given)
        self._waiting: deque[Any] = deque()
        self._number = 0
        self.ended = False

    def open(self) -> None:
        """Nothing is to be opened."""

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` events or records, in the place of the bytes of messages."""
        if self._left is not None:
            self._waiting += islice(self._left, limit)
            self.ended = not self._waiting
        elif not self._waiting and not self.ended:
            self._wait_for(timeout)
        taken = [self._waiting.popleft() for _ in range(min(limit, len(self._waiting)))]
        messages = []
        for value in taken:
            self._number += 1
            messages.append(Message(value, self._name, f"{self._name}:{self._number}"))
        return messages

    def _wait_for(self, timeout: float) -> None:
        assert self._ask is not None
        given = self._ask()
        if given is None:
            self.ended = True
            return
        self._waiting += rows(given)
        if not self._waiting:
            pause(min(timeout, _NAP_SECONDS))

    def commit(self, positions: Sequence[str]) -> None:
        """Nobody is to be told."""

    def close(self) -> None:
        """Ends a generator, so that it lets go of what it holds."""
        close = getattr(self._left, "close", None)
        if close is not None:
            close()

    def replay(self, t_from: int, t_to: int) -> None:
        """There is no log."""


class Taking:
    """A sink that hands records to a callable, or appends them to a list."""

    counts_only: ClassVar[bool] = False

    def __init__(self, given: Any) -> None:
        self._take: Callable[[Record], object] = given.append if isinstance(given, list) else given

    def open(self) -> None:
        """Nothing is to be opened."""

    def send(self, records: Sequence[Record]) -> None:
        """Hands them over, one by one."""
        for record in records:
            if isawaitable(self._take(record)):
                raise ContractBreach(self, "gives something that is to be awaited, and nobody awaits it")

    def flush(self) -> None:
        """What was handed over is the program's."""

    def close(self) -> None:
        """Nothing is to be closed."""


class ObjectReader(Reader):
    """Takes events as they are, and records as the source says; where it says nothing, as they are fed."""

    def read(self, messages: Sequence[Message]) -> Batch:
        """The events of messages that hold objects."""
        if self._records is None:
            self._records = self._made()
        events: list[Event] = []
        positions: list[str] = []
        invalid: list[Invalid] = []
        for message in messages:
            given: Any = message.value
            if self._mapped and not isinstance(given, Event):
                batch = super().read([message])
                events += batch.events
                positions += batch.positions
                invalid += batch.invalid
                continue
            refused: list[InvalidEvent] = []
            for event in self._records.read([given], refused.append):
                named = event if event.source else msgspec.structs.replace(event, source=self._source)
                events.append(named)
                positions.append(message.position)
            invalid += [
                Invalid(
                    error=r.error,
                    raw=self._shown(message),
                    source=self._source,
                    position=message.position,
                    message=message,
                )
                for r in refused
            ]
        return Batch(events=events, positions=positions, invalid=invalid)

    _records: Records | None = None

    def _shown(self, message: Message) -> str:
        return repr(message.value)[:RAW_CHARACTERS]

    @property
    def _mapped(self) -> bool:
        """Whether the source says how records are read."""
        config = self._config
        return config.type_field != _TYPE or config.time is not None or bool(config.id)

    def _made(self) -> Records:
        live = isinstance(self._clock, SystemClock)
        return Records(now=self._clock.now if live else None)


class ObjectCodec:
    """Takes records as they are, with values as conditions know them."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False
    reader: ClassVar[type[Reader]] = ObjectReader

    def decode(self, messages: Sequence[Message]) -> Sequence[Decoded]:
        """The record of each message."""
        decoded: list[Decoded] = []
        for message in messages:
            given: Any = message.value
            try:
                if not isinstance(given, dict):
                    raise Unusable(f"{given!r} is no record: give a dict or an Event")
                decoded.append((message, attributes({k: _stamped(v) for k, v in given.items()})))
            except Unusable as error:
                decoded.append((message, Undecodable(str(error))))
        return decoded

    def finish(self) -> Sequence[Decoded]:
        """Nothing is held back."""
        return ()

    def spelled(self, message: Message) -> Sequence[Record]:
        """Python spells floats as the kernel does."""
        return ()


def _stamped(value: Any) -> Any:
    """A datetime without zone as JSON would have it: `zone` of the source's time may say where it is from."""
    naive = isinstance(value, datetime) and value.tzinfo is None and value == value
    return value.isoformat() if naive else value
