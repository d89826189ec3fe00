"""Connectors: what sources come from and sinks go to, by name or written inline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.config.model import ComponentConfig
from limecep.config.nodes import Block, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.config.components import Components
    from limecep.config.findings import Findings
    from limecep.spec import ComponentSpec

_KINDS = ("source", "sink")


class Connectors:
    """The `connectors` block. A connector may serve sources and sinks: its type is looked up for each."""

    def __init__(
        self, named: Mapping[str, tuple[Scalar, Block]], components: Components, findings: Findings
    ) -> None:
        self._named = named
        self._components = components
        self._findings = findings
        self._read: dict[tuple[str, str], ComponentConfig | None] = {}

    def of(
        self,
        kind: str,
        block: Block,
        by: str,
        reference: Node | None,
        own: Sequence[str],
        what: str,
        where: Node,
    ) -> tuple[ComponentConfig | None, Any]:
        """The connector of a source's or sink's block, and the keys of that block that belong to it.

        Args:
            kind: `source` or `sink`.
            block: The block.
            by: The key that names a connector: `from` or `to`.
            reference: What that key holds.
            own: The keys that the kernel takes from the block.
            what: What the block is, for messages.
            where: Its name.
        """
        inline = block.get("type")
        spec, connector = None, None
        options: list[str] = []
        if reference is not None and inline is not None:
            self._findings.error(
                "conflict",
                f"{what} has both '{by}' and 'type'",
                inline,
                f"'{by}' names a connector, 'type' describes one here; leave one of them out",
            )
        elif inline is not None:
            spec = self._spec(kind, inline)
            if spec is not None:
                options = ["type", *keys(spec.options)]
                made = read(block, spec.options, what, self._findings, where)
                connector = None if made is None else ComponentConfig(spec=spec, options=made)
        elif isinstance(reference, Scalar) and isinstance(reference.value, str):
            connector = self._by_name(kind, reference)
            spec = connector.spec if connector else None
        else:
            said = f"'{by}' must be the name of a connector" if reference else f"{what} needs '{by}'"
            self._findings.error("missing-key", said, reference or where, suggestion("", self._named))
        if spec is None:
            # Nobody knows which transport was meant, so a key of any of them may be right.
            specs = [self._components.look(kind, name) for name in self._components.names(kind)]
            possible = [k for s in specs if s for k in (*keys(s.settings), *keys(s.options))]
            check_keys(block, [*own, "type", *possible], what, self._findings)
            return None, None
        check_keys(block, [*own, *options, *keys(spec.settings)], what, self._findings)
        return connector, read(block, spec.settings, what, self._findings, where)

    def finish(self) -> None:
        """Looks at the connectors that nothing uses, too."""
        for name, (key, block) in self._named.items():
            if any((kind, name) in self._read for kind in _KINDS):
                continue
            self._findings.warning("unused-connector", f"connector '{name}' is used by nothing", key)
            found = [kind for kind in _KINDS if self._type_known(kind, block)]
            self._connector(found[0] if found else "source", name, key, block)

    def _by_name(self, kind: str, reference: Scalar) -> ComponentConfig | None:
        name = reference.text
        if name not in self._named:
            hint = suggestion(name, self._named) or "there is no 'connectors' block, or nothing in it"
            self._findings.error("unknown-connector", f"no connector named '{name}'", reference, hint)
            return None
        if (kind, name) not in self._read:
            key, block = self._named[name]
            self._read[kind, name] = self._connector(kind, name, key, block)
        return self._read[kind, name]

    def _connector(self, kind: str, name: str, key: Scalar, block: Block) -> ComponentConfig | None:
        what = f"connector '{name}'"
        if block.get("type") is None:
            self._findings.error("missing-key", f"{what} needs 'type'", key, suggestion("", self._types()))
            return None
        node = block.get("type")
        assert node is not None
        spec = self._spec(kind, node)
        if spec is None:
            return None
        both = [s for k in _KINDS if (s := self._components.look(k, spec.name))]
        check_keys(block, ["type", *(k for s in both for k in keys(s.options))], what, self._findings)
        options = read(block, spec.options, what, self._findings, key)
        return None if options is None else ComponentConfig(spec=spec, options=options)

    def _spec(self, kind: str, node: Node) -> ComponentSpec | None:
        name = self._components.type_name(node, kind, self._types())
        if name is None:
            return None
        other = next(k for k in _KINDS if k != kind)
        if self._components.look(kind, name) is None and self._components.look(other, name) is not None:
            does = (
                "takes updates out, but brings nothing in"
                if kind == "source"
                else "brings events in, but takes nothing out"
            )
            self._findings.error(
                "unknown-component", f"'{name}' {does}", node, suggestion("", self._components.names(kind))
            )
            return None
        return self._components.find(kind, name, node)

    def _type_known(self, kind: str, block: Block) -> bool:
        node = block.get("type")
        return isinstance(node, Scalar) and self._components.look(kind, node.text) is not None

    def _types(self) -> list[str]:
        return sorted({name for kind in _KINDS for name in self._components.names(kind)})


def named_blocks(block: Block | None, findings: Findings) -> dict[str, tuple[Scalar, Block]]:
    """The blocks of a block of names, each with the key that names it."""
    found = {}
    for name, entry in (block.entries if block else {}).items():
        check_name(name, entry.key, findings)
        if isinstance(entry.value, Block):
            found[name] = entry.key, entry.value
        else:
            findings.error(
                "wrong-type", f"'{name}' must be a block of keys, it is {described(entry.value)}", entry.value
            )
    return found


def check_name(name: str, where: Node, findings: Findings) -> None:
    """Reports a name that would not fit into topics, file names and reports."""
    if not name or not all(c.isalnum() or c in "_-." for c in name):
        findings.error(
            "bad-name",
            f"'{name}' is no name here",
            where,
            "names are made of letters, digits, '_', '-' and '.'",
        )
