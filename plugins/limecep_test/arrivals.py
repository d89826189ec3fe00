"""The arrivals of a test: events of its short form, records that sources read, and files."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.config.units import duration
from limecep.contracts.source import Message
from limecep.embedding.documents import Block, Listing, Scalar, described
from limecep.embedding.pipelines import event_types
from limecep.encoding import to_json
from limecep.model.event import Event
from limecep.problems import suggestion
from limecep_test.words import Misspelt, words

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal

    from limecep.embedding.documents import Findings, Node
    from limecep.embedding.pipelines import PipelineConfig, SourceConfig
    from limecep.problems import Place
    from limecep_test.clock import VirtualClock
    from limecep_test.document import Case, File
    from limecep_test.trial import Components
    from limecep_test.words import Word

#: What may stand in an item of `events` besides the name of a source.
_TIMES = ("silence", "advance")
#: Attributes of the short form that are the event's own.
_OWN = ("id", "source", "seq")


@dataclass(frozen=True, slots=True, kw_only=True)
class Come:
    """An event arrives."""

    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """The clock goes on to a time, in microseconds, and nothing arrives."""

    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """Event time comes to a time, in microseconds, although no event says so."""

    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """A record arrives that gives no event."""

    source: str
    error: str


Step = Come | Pass | Advance | Refuse


class Arrivals:
    """Makes the steps of one test.

    Args:
        file, case: The test.
        config: Its pipeline.
        components: Those of the pipeline, which read records.
        findings: Where problems go.
    """

    def __init__(
        self, file: File, case: Case, config: PipelineConfig, components: Components, findings: Findings
    ) -> None:
        self._start = file.start
        self._unit = file.unit
        self._case = case
        self._config = config
        self._components = components
        self._clock: VirtualClock = components.clock
        self._findings = findings
        self._types = sorted({t for p in config.patterns for t in event_types(p.pattern)})
        #: Strict contiguity: whatever stands between two events parts them.
        self._all_count = any(p.select == "sc" for p in config.patterns)
        self._known: dict[str, Event] = {}
        self._now = 0
        self._steps: list[Step] = []

    def steps(self) -> list[Step]:
        """Return the steps, in order."""
        for event, error in self._components.recorded(list(self._case.data)):
            self._steps.append(Come(event=event) if event else Refuse(source=error[0], error=error[1]))
        read = [s.event.t_arr for s in self._steps if isinstance(s, Come)]
        self._now = max(read, default=self._start)
        self._clock.restart(self._now)
        for node in self._case.events:
            if isinstance(node, Scalar) and isinstance(node.value, str):
                self._words(node)
            elif isinstance(node, Block):
                self._block(node)
            else:
                self._wrong("this is no event", node, "write g3(percentage=62), or {SOURCE: {field: value}}")
        return self._steps

    def _wrong(self, said: str, where: Node | Place, hint: str = "", code: str = "bad-event") -> None:
        self._findings.error(code, said, where, hint)

    def _come(self, event: Event) -> None:
        self._steps.append(Come(event=event))
        self._now = max(self._now, event.t_arr)
        self._clock.advance(self._now)

    def _moment(self, time: Decimal) -> int:
        return self._start + round(time * self._unit)

    # -- the short form ------------------------------------------------------------------------------------

    def _words(self, node: Scalar) -> None:
        try:
            for word in words(node.text):
                place = node.origin.place(word.begin, word.end)
                if word.name:
                    self._word(word, place)
                else:
                    self._pass(self._moment(word.time), place)
        except Misspelt as error:
            self._wrong(str(error), node.origin.place(error.begin, error.end), error.hint)

    def _pass(self, to: int, place: Node | Place) -> None:
        if to < self._now:
            self._wrong("the clock does not go back: it is later already", place)
        self._now = max(self._now, to)
        self._steps.append(Pass(to=self._now))

    def _word(self, word: Word, place: Place) -> None:
        known = self._known.get(word.text)
        moment = self._moment(word.time)
        arrival = max(self._now, moment) if word.arrival is None else self._moment(word.arrival)
        if arrival < self._now:
            said = f"'{word.text}' arrives before what is written before it"
            self._wrong(said, place, "write events in the order of their arrival")
            return
        if known is not None and word.attributes is None:
            # The same again: a duplicate.
            self._come(msgspec.structs.replace(known, t_arr=max(self._now, arrival)))
            return
        name = self._type(word.name, place)
        if name is None:
            return
        attributes = {**self._case.attributes, **(word.attributes or {})}
        own = {key: attributes.pop(key) for key in _OWN if key in attributes}
        source = self._source(name, own.get("source"), place)
        if source is not None and source.revise is not None:
            self._wrong(
                f"source '{source.name}' may take back its events, which the short form cannot say",
                place,
                f"write {{{source.name}: {{field: value}}}}",
            )
            return
        event = Event(
            type=name,
            id=str(own.get("id", word.text)),
            t_gen=moment,
            t_arr=arrival,
            source="" if source is None else source.name,
            payload=attributes,
            seq=own.get("seq", (source and source.rank) or 0),
        )
        self._known.setdefault(word.text, event)
        self._come(event)

    def _type(self, name: str, place: Place) -> str | None:
        """The event type that a name, or its beginning, means."""
        folded = name.casefold()
        for same in (
            [t for t in self._types if t == name],
            [t for t in self._types if t.casefold() == folded],
            [t for t in self._types if t.casefold().startswith(folded)],
        ):
            if len(same) == 1:
                return same[0]
            if same:
                self._wrong(f"'{name}' may be {' or '.join(same)}", place, "write more of it", "bad-event")
                return None
        if self._all_count:
            return name
        close = get_close_matches(folded, {t.casefold(): t for t in self._types}, n=1)
        near = next((t for t in self._types if t.casefold() in close), None)
        hint = f"did you mean '{near}'?" if near else suggestion(name, self._types)
        self._wrong(f"no pattern uses an event type '{name}'", place, hint, "unused-type")
        return None

    def _source(self, event_type: str, named: Any, place: Place) -> SourceConfig | None:
        """The source that brings events of a type; None where the pipeline has none."""
        sources = {s.name: s for s in self._config.sources}
        if named is not None:
            if named not in sources:
                said = f"there is no source '{named}'"
                self._wrong(said, place, suggestion(str(named), sources), "unknown-source")
            return sources.get(named)
        for bring in (
            [s for s in sources.values() if s.event_type == event_type],
            [s for s in sources.values() if event_type in s.type_map.values()],
            [s for s in sources.values() if s.event_type is None],
        ):
            if bring:
                return bring[0]
        return None

    # -- blocks --------------------------------------------------------------------------------------------

    def _block(self, node: Block) -> None:
        names = [name for name in node.entries if name != "at"]
        if len(names) != 1:
            hint = "write {SOURCE: {field: value}}, {silence: 30s} or {advance: 60}"
            self._wrong("an item is one record, or says one thing about time", node, hint)
            return
        (name,) = names
        value = node.entries[name].value
        sources = {s.name: s for s in self._config.sources}
        if name in sources:
            self._record(sources[name], value, self._at(node.get("at")))
        elif name == "silence" and isinstance(value, Scalar):
            try:
                self._pass(self._now + duration(value.text), value)
            except ValueError as error:
                self._wrong(f"'silence' {error}", value)
        elif name == "advance" and (to := self._time(value)) is not None:
            self._steps.append(Advance(to=to))
        elif name not in _TIMES:
            hint = suggestion(name, [*sources, *_TIMES])
            self._wrong(f"there is no source '{name}'", node.entries[name].key, hint, "unknown-source")

    def _time(self, node: Node) -> int | None:
        if isinstance(node, Scalar) and isinstance(node.value, (int, float)) and node.value is not True:
            return self._start + round(node.value * self._unit)
        self._wrong(f"a time is a number of the unit of the test, not {described(node)}", node)
        return None

    def _at(self, node: Node | None) -> int | None:
        at = None if node is None else self._time(node)
        if node is not None and at is not None and at < self._now:
            self._wrong("it arrives before what is written before it", node)
            return None
        return at

    def _record(self, source: SourceConfig, node: Node, at: int | None) -> None:
        """Add the events that a source makes of a record, or of the text of a message."""
        if isinstance(node, Listing) or (isinstance(node, Scalar) and not isinstance(node.value, str)):
            said = f"a record is a block of fields, or the text of a message, not {described(node)}"
            self._wrong(said, node)
            return
        self._now = max(self._now, at or 0)
        self._clock.advance(self._now)
        t_arr = self._now if at is not None or source.time is None else None
        value = node.text.encode() if isinstance(node, Scalar) else to_json(_plain(node))
        message = Message(value, source.channel, "", t_arr)
        batch = self._components.read(source, message, raw=isinstance(node, Scalar))
        for event in batch.events:
            if source.arrival is None:
                event.t_arr = max(self._now, event.t_gen) if t_arr is None else t_arr
            self._come(event)
        for invalid in batch.invalid:
            if self._case.late is None and self._case.counts is None:
                hint = "if it is to be like that, expect 'late: [invalid]'"
                self._wrong(f"source '{source.name}' makes no event of this: {invalid.error}", node, hint)
            self._steps.append(Refuse(source=source.name, error=invalid.error))


def _plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [_plain(item) for item in node.items]
    return {name: _plain(entry.value) for name, entry in node.entries.items()}


def events_of(steps: Iterable[Step]) -> list[Event]:
    """The events among steps."""
    return [s.event for s in steps if isinstance(s, Come)]
