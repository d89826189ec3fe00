"""The `sources` block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.blocks import PAYLOAD_TYPES, SourceBlock, TypeBlock
from limecep.config.connectors import named_blocks, vet
from limecep.config.fields import Fields
from limecep.config.model import SourceConfig, is_live
from limecep.config.nodes import Block, Listing, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.config.times import Times
from limecep.contracts.options import VettingFormats
from limecep.intake.fields import OTHERS, attributes, level_name, topic_level
from limecep.problems import suggestion

if TYPE_CHECKING:
    from limecep.config.components import Components
    from limecep.config.connectors import Connectors
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig
    from limecep.spec import ComponentSpec

#: The contract of what reads messages, which what makes them may do without.
DECODER = "limecep.contracts.codec.Codec"
#: How far an event of a live source may be ahead of its arrival, and how long such a source may be silent
#: before it holds time back no more, in microseconds. What ends by itself has neither.
MAX_FUTURE_SKEW_US = 300_000_000
IDLE_AFTER_US = 30_000_000


class Sources:
    """Reads sources, and knows what events they bring.

    Attributes:
        types: The event types that sources name, each with the source that does and where.
        open: Whether types may come that no source names, because a field of the record says them.
        vague: Whether such types come by way of a `map`, so that those it names are likely to be all.
    """

    def __init__(self, connectors: Connectors, components: Components, findings: Findings) -> None:
        self._connectors = connectors
        self._components = components
        self._findings = findings
        self._fields = Fields(findings)
        self._times = Times(self._fields, components, findings)
        self._declared: dict[str, set[str] | None] = {}
        self.types: dict[str, tuple[str, Node]] = {}
        self.open = False
        self.vague = False

    def read(self, block: Block | None) -> tuple[SourceConfig, ...]:
        """Every source that could be read."""
        read = [self._source(*item) for item in named_blocks(block, self._findings).items()]
        # A source that is no block at all may bring anything.
        self.open = self.open or len(read) < len(block.entries if block else {})
        return tuple(s for s in read if s is not None)

    def attributes(self) -> dict[str, frozenset[str]]:
        """The attributes of every type all of whose sources declare them."""
        if self.open or self.vague:
            return {}
        return {t: frozenset(found) for t, found in self._declared.items() if found is not None}

    def _source(self, name: str, named: tuple[Scalar, Block]) -> SourceConfig | None:
        key, node = named
        what = f"source '{name}'"
        if (format := node.get("format")) is not None:
            # Most formats say nothing of what an event is.
            from limecep.config.heads import headed

            node = headed(node, format, self._components)
        block = read(node, SourceBlock, what, self._findings, key)
        assert block is not None
        connector, settings = self._connectors.of(
            "source", node, "from", block.from_, keys(SourceBlock), what, key
        )
        payload = self._payload(block.payload)
        device = self._fields.one("key", block.key)
        sound = block.key is None or device is not None
        declared = _attributes(payload, device) if sound else None
        event_type, type_field, type_map = self._type(name, block.as_, declared)
        time = self._times.read("time", block.time)
        arrival = self._times.read("arrival", block.arrival)
        id_fields = self._id(block.id)
        order = self._fields.one("order", block.order)
        # A connector that is written here may have a format of its own (that of the files it reads).
        taken = connector is not None and block.from_ is None and "format" in keys(connector.spec.options)
        format = None if taken else block.format
        codec = self._codec(format, block.channel, connector, node.get("channel") or key)
        if block.every == 0:
            self._findings.error(
                "bad-value",
                "'every' must be longer than nothing",
                node.get("every"),
                "leave it out if a device reports whenever it likes",
            )
        revise = None
        if block.revise is not None:
            # Few sources take back what they told.
            from limecep.config.revise import revise as read_revise

            revise = read_revise(node, block, self._fields, self._findings)
        self._check_rank(node, block)
        if connector is None or codec is None:
            return None
        self._warn(what, key, node, block, connector.spec)
        if isinstance(codec.options, VettingFormats):
            from limecep.config.formats import vet_format

            vet_format(codec, connector, self._connectors.root, format or key, self._findings)
        vet(connector, settings, block.channel, node.get("channel") or key, self._findings)
        live = is_live(connector.spec, settings)
        if block.max_future_skew is not None and arrival is None and not live:
            self._findings.warning(
                "no-arrival",
                f"'max_future_skew' does nothing for {what}: without 'arrival' no event is ahead of its time",
                node.get("max_future_skew"),
                "name the field that holds when each was received: arrival: received_at",
            )
        if any(t is not None and t.year is not None for t in (time, arrival)):
            # Most stamps have a year.
            from limecep.config.dated import check_year

            check_year(what, node, time, arrival, self._findings, live=live)
        return SourceConfig(
            name=name,
            connector=connector,
            channel=block.channel,
            settings=settings,
            codec=codec,
            event_type=event_type,
            type_field=type_field,
            type_map=type_map,
            time=time,
            arrival=arrival,
            id=id_fields,
            order=order,
            revise=revise,
            rank=block.rank,
            payload=payload,
            key=device,
            every=block.every,
            max_future_skew=_or_default(
                node, "max_future_skew", block.max_future_skew, live, MAX_FUTURE_SKEW_US
            ),
            idle_after=_or_default(node, "idle_after", block.idle_after, live, IDLE_AFTER_US),
            on_error=block.on_error,
        )

    def _codec(
        self, format: Node | None, channel: str, connector: ComponentConfig | None, where: Node
    ) -> ComponentConfig | None:
        default = None
        if format is None or (isinstance(format, Block) and format.get("type") is None):
            if connector is None or not channel:
                return None
            default = self._components.codec_of(connector.spec, channel, where)
            if default is None:
                return None
        return self._components.read("codec", format, where, default=default, contract=DECODER)

    def _type(
        self, source: str, node: Node | None, attributes: set[str] | None
    ) -> tuple[str | None, str | None, dict[str, str]]:
        """The fixed type, or the field that holds it and the types by its values."""
        if isinstance(node, Scalar) and node.failed:
            self.open = True
            return None, None, {}
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value:
            self._bring(node.value, source, node, attributes)
            return node.value, None, {}
        if isinstance(node, Block):
            check_keys(node, keys(TypeBlock), "'as'", self._findings)
            block = read(node, TypeBlock, "'as'", self._findings)
            assert block is not None
            for value, event_type in block.map.items():
                if not event_type:
                    said = f"'map' has no event type for '{value}'"
                    self._findings.error("bad-value", said, node, "name one, or leave the value out")
            for value in block.map.values():
                self._bring(value, source, node, attributes)
            self.vague = self.vague or bool(block.map)
            self.open = self.open or not block.map
            return None, self._fields.one("field", block.field), block.map
        self.open = True
        if node is not None:
            self._findings.error(
                "wrong-type",
                f"'as' must be an event type, or a block with 'field' and 'map', not {described(node)}",
                node,
                "as: Reading, or as: {field: type, map: {A: Alarm}}",
            )
        return None, None, {}

    def _bring(self, event_type: str, source: str, node: Node, attributes: set[str] | None) -> None:
        self.types.setdefault(event_type, (source, node))
        known = self._declared.setdefault(event_type, set())
        if attributes is None or known is None:
            self._declared[event_type] = None
        else:
            known.update(attributes)

    def _id(self, node: Node | None) -> tuple[str, ...]:
        if isinstance(node, Listing):
            return tuple(f for f in self._fields.some("id", node) if f is not None)
        field = self._fields.one("id", node)
        return () if field is None else (field,)

    def _payload(self, node: Listing | Block | None) -> dict[str, str] | None:
        """The fields to keep with their types. None, all of them, also where something is wrong: what is not
        known to be there may be."""
        if node is None:
            return None
        if isinstance(node, Listing):
            named = self._fields.some("payload", node)
            return None if None in named else {field: "any" for field in named if field is not None}
        if not node.entries:
            self._findings.error(
                "bad-value",
                "'payload' names no field",
                node,
                "leave it out to keep all fields, or name one",
            )
            return None
        named = self._fields.each("payload", [entry.key for entry in node.entries.values()])
        payload = {}
        for known, (field, entry) in zip(named, node.entries.items(), strict=True):
            wanted = self._fields.text(field, entry.value, None)
            if known is None or wanted is None:
                continue
            if wanted in PAYLOAD_TYPES:
                payload[field] = wanted
            else:
                self._findings.error(
                    "bad-value",
                    f"'{field}' cannot be turned into '{wanted}'",
                    entry.value,
                    suggestion(wanted, PAYLOAD_TYPES),
                )
        return payload if len(payload) == len(node.entries) else None

    def _check_rank(self, node: Block, block: SourceBlock) -> None:
        given = node.get("rank")
        if block.rank is None or given is None:
            return
        if not -(2**63) <= block.rank < 2**63:
            self._findings.error("bad-value", "'rank' does not fit 64 bits", given)
        if block.order is not None:
            self._findings.error(
                "conflict",
                "'order' and 'rank' both say in which order events of one time are",
                given,
                "leave one of them out",
            )

    def _warn(self, what: str, key: Scalar, node: Block, block: SourceBlock, spec: ComponentSpec) -> None:
        if block.time is None:
            self._findings.warning(
                "no-time",
                f"{what} has no 'time': event time is arrival; lateness and repeated copies cannot be seen",
                key,
                "name the field that holds the event time: time: {field: ts, format: epoch_ms}",
            )
        wildcard = any(c in block.channel for c in "+#*?") or block.channel.startswith("^")
        if wildcard and "finite" not in spec.capabilities and block.id is None and block.key is None:
            self._findings.warning(
                "no-identity",
                f"{what} reads many channels with neither 'id' nor 'key': of devices that say the same at the"
                " same time, one would pass for a copy",
                node.get("channel"),
                "say what tells devices apart: key: device, or a level of the channel",
            )


def _attributes(payload: dict[str, str] | None, device: str | None) -> set[str] | None:
    """The attributes of events whose payload is declared. What tells devices apart is always one, called
    `key` if it is a level of the channel."""
    if payload is None or OTHERS in payload:
        return None
    found = {name for path in payload for name in attributes(path)}
    if device is not None:
        found |= {level_name(device) or "key"} if topic_level(device) is not None else attributes(device)
    return found


def _or_default(node: Block, key: str, value: int | None, live: bool, default: int) -> int | None:
    given = node.get(key)
    return value if given is not None else default if live else None
