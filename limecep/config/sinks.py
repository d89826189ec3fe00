"""The `sinks` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.config.blocks import OutboxBlock, SinkBlock
from limecep.config.connectors import named_blocks, vet
from limecep.config.model import SinkConfig
from limecep.config.nodes import Listing
from limecep.config.options import check_keys, keys, read
from limecep.contracts.options import NamingPath
from limecep.output.outlets import BOUND, Bound
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection

    from limecep.config.components import Components
    from limecep.config.connectors import Connectors
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig
    from limecep.config.nodes import Block, Node, Scalar
    from limecep.output.outlets import Repeat

#: The contract of what makes messages of records.
ENCODER = "limecep.contracts.codec.Encoder"


class Sinks:
    """Reads sinks.

    Args:
        patterns: The names of the pipeline's patterns.
        kept: Whether it has a state.
    """

    def __init__(
        self,
        connectors: Connectors,
        components: Components,
        findings: Findings,
        *,
        patterns: Collection[str],
        kept: bool,
    ) -> None:
        self._connectors = connectors
        self._components = components
        self._findings = findings
        self._patterns = patterns
        self._kept = kept

    def read(self, block: Block | None, root: Node) -> tuple[SinkConfig, ...]:
        """Every sink that could be read. If none written takes updates, they go to standard output."""
        named = named_blocks(block, self._findings, "type")
        read = [s for s in (self._sink(*item) for item in named.items()) if s is not None]
        if len(read) == len(block.entries if block else {}) and all(s.of != "updates" for s in read):
            connector = self._components.read("sink", None, root)
            if connector is not None:
                read.append(
                    SinkConfig(name=_free(connector.spec.name, named), connector=connector, implied=True)
                )
        return tuple(read)

    def _sink(self, name: str, named: tuple[Scalar, Block]) -> SinkConfig | None:
        key, node = named
        what = f"sink '{name}'"
        block = read(node, SinkBlock, what, self._findings, key)
        assert block is not None
        connector, settings = self._connectors.of("sink", node, "to", block.to, keys(SinkBlock), what, key)
        envelope = None if block.envelope is None else self._envelope(block.envelope)
        through = [self._components.read("transform", n, n) for n in block.through]
        patterns = [self._pattern(item) for item in block.patterns]
        self._check_patterns(node, block)
        if connector is None:
            return None
        path = _path(settings) or _path(connector.options)
        if block.channel and path and node.get("type"):
            self._findings.error(
                "conflict",
                f"{what} has both 'path' and 'channel'",
                node.get("channel"),
                "leave one of them out",
            )
        channel = block.channel or path
        if not channel and "channel" in connector.spec.capabilities:
            word = "path" if "path" in keys(connector.spec.options) and node.get("type") else "channel"
            self._findings.error("missing-key", f"{what} needs '{word}'", key, "say where the records go")
        elif channel:
            vet(connector, settings, channel, node.get("channel") or key, self._findings)
        return SinkConfig(
            name=name,
            connector=connector,
            channel=channel,
            settings=settings,
            of=block.of,
            events=block.events,
            patterns=tuple(p for p in patterns if p),
            envelope=envelope,
            through=tuple(t for t in through if t),
            on_error=block.on_error,
            bound=self._bound(block, what),
            repeat=self._repeat(block, what),
        )

    def _bound(self, block: SinkBlock, what: str) -> Bound:
        """How much may wait for it."""
        if block.outbox is None:
            return BOUND
        if not self._kept:
            said = f"'outbox' of {what} changes nothing: without a state nothing waits for a sink"
            hint = "give the pipeline a state, such as state: {dir: state}"
            self._findings.warning("idle-outbox", said, block.outbox, hint)
        check_keys(block.outbox, keys(OutboxBlock), f"'outbox' of {what}", self._findings)
        given = read(block.outbox, OutboxBlock, f"'outbox' of {what}", self._findings)
        return BOUND if given is None else Bound(given.bytes, given.when_full == "drop_oldest")

    def _repeat(self, block: SinkBlock, what: str) -> Repeat | None:
        if block.repeat is None:
            return None
        # Few sinks are told again.
        from limecep.config.repeats import repeat

        return repeat(block, what, self._findings, self._pattern)

    def _envelope(self, node: Node) -> ComponentConfig | None:
        envelope = self._components.read("codec", node, node, contract=ENCODER)
        if envelope is not None and "envelope" not in envelope.spec.capabilities:
            able = [s.name for s in self._components.specs("codec") if "envelope" in s.capabilities]
            self._findings.error(
                "bad-value",
                f"the codec '{envelope.spec.name}' makes no envelopes",
                node,
                suggestion("", able) or "leave it out",
            )
        return envelope

    def _check_patterns(self, node: Block, block: SinkBlock) -> None:
        given = node.get("patterns")
        if isinstance(given, Listing) and not given.items:
            self._findings.error(
                "bad-value", "'patterns' is an empty list", given, "leave it out, or name patterns"
            )
        elif given is not None and block.of == "late":
            self._findings.error(
                "conflict",
                "'patterns' says nothing about late events, which belong to no pattern",
                given,
                "leave it out",
            )

    def _pattern(self, node: Scalar) -> str:
        if not node.failed and node.text not in self._patterns:
            self._findings.error(
                "unknown-pattern",
                f"no pattern named '{node.text}'",
                node,
                suggestion(node.text, self._patterns),
            )
        return node.text


def _path(options: Any) -> str:
    """The channel that a component's own options name."""
    return (options.path if isinstance(options, NamingPath) else "") or ""


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
