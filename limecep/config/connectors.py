"""Connectors: what sources come from and sinks go to, by name or written inline."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Block, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.contracts.options import VettingChannels
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.config.components import Components
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig
    from limecep.spec import ComponentSpec

_KINDS = ("source", "sink")


class Connectors:
    """The `connectors` block. A connector may serve sources and sinks: its type is looked up for each.

    Args:
        block: The block.
        components: The components there are.
        findings: Where problems go.
        root: The folder that relative paths are below.
        unread: Whether what stands there is no block, so that nobody can tell the names.

    Attributes:
        root: That folder.
    """

    def __init__(
        self,
        block: Block | None,
        components: Components,
        findings: Findings,
        root: Path,
        *,
        unread: bool = False,
    ) -> None:
        self._named = named_blocks(block, findings, "type")
        self._known = frozenset(block.entries if block else ())
        self.root = root
        self._unread = unread
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
                connector = None if made is None else self._configured(spec, made, block)
        elif isinstance(reference, Scalar) and reference.failed:
            pass
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
            needed = (by, "type") if reference is None and inline is None else ()
            check_keys(block, [*own, "type", *possible], what, self._findings, needed=needed)
            return None, None
        check_keys(block, [*own, *options, *keys(spec.settings)], what, self._findings)
        return connector, read(block, spec.settings, what, self._findings, where)

    def finish(self) -> None:
        """Looks at the connectors that nothing uses, too, and at the options that nothing uses."""
        for name, (key, block) in self._named.items():
            used = [kind for kind in _KINDS if (kind, name) in self._read]
            if used:
                self._unused_options(name, block, used)
                continue
            self._findings.warning("unused-connector", f"connector '{name}' is used by nothing", key)
            found = [kind for kind in _KINDS if self._type_known(kind, block)]
            self._connector(found[0] if found else "source", name, key, block)

    def _unused_options(self, name: str, block: Block, used: Sequence[str]) -> None:
        node = block.get("type")
        if not isinstance(node, Scalar):
            return
        specs = {k: s for k in _KINDS if (s := self._components.look(k, node.text))}
        taken = {key for k in used if k in specs for key in keys(specs[k].options)}
        for kind, spec in specs.items():
            for option in keys(spec.options):
                if option in block.entries and option not in taken:
                    self._findings.warning(
                        "unused-option",
                        f"'{option}' is for {kind}s, and no {kind} uses connector '{name}'",
                        block.entries[option].key,
                        "leave it out",
                    )

    def _by_name(self, kind: str, reference: Scalar) -> ComponentConfig | None:
        name = reference.text
        if name not in self._named and (self._unread or name in self._known):
            return None
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
            check_keys(block, self._any_key(), what, self._findings, needed=["type"])
            return None
        node = block.get("type")
        assert node is not None
        spec = self._spec(kind, node)
        if spec is None:
            check_keys(block, self._any_key(), what, self._findings)
            return None
        named = node.text if isinstance(node, Scalar) else spec.name
        both = [s for k in _KINDS if (s := self._components.look(k, named))]
        check_keys(block, ["type", *(k for s in both for k in keys(s.options))], what, self._findings)
        options = read(block, spec.options, what, self._findings, key)
        return None if options is None else self._configured(spec, options, block)

    def _configured(self, spec: ComponentSpec, options: Any, block: Block) -> ComponentConfig:
        """A connector; what it has to read should be there."""
        for field, key in zip(fields(spec.options), keys(spec.options), strict=True):
            path = field.metadata.get("reads") and getattr(options, field.name)
            if path and not (self.root / path).is_file():
                said = f"'{key}' names a file that is not there: {path}"
                hint = "relative paths are below the folder of this file"
                self._findings.warning("missing-file", said, block.get(key), hint)
        return self._components.configured(spec, options)

    def _spec(self, kind: str, node: Node) -> ComponentSpec | None:
        name = self._components.type_name(node, kind, self._types())
        if name is None:
            return None
        other = next(k for k in _KINDS if k != kind)
        plain = name.rpartition(":")[2]
        if plain not in self._components.names(kind) and self._components.look(other, name) is not None:
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

    def _any_key(self) -> list[str]:
        """The keys of connectors of all types, for one of which nobody knows the type."""
        specs = [self._components.look(k, name) for k in _KINDS for name in self._components.names(k)]
        return ["type", *(key for s in specs if s for key in keys(s.options))]

    def _type_known(self, kind: str, block: Block) -> bool:
        node = block.get("type")
        return isinstance(node, Scalar) and self._components.look(kind, node.text) is not None

    def _types(self) -> list[str]:
        return sorted({name for kind in _KINDS for name in self._components.names(kind)})


def named_blocks(
    block: Block | None, findings: Findings, likely: str = ""
) -> dict[str, tuple[Scalar, Block]]:
    """The blocks of a block of names, each with the key that names it. `likely` is the key that a text in the
    place of a block was probably meant for."""
    found = {}
    for name, entry in (block.entries if block else {}).items():
        check_name(name, entry.key, findings)
        if isinstance(entry.value, Block):
            found[name] = entry.key, entry.value
        elif not (isinstance(entry.value, Scalar) and entry.value.failed):
            findings.error(
                "wrong-type",
                f"'{name}' must be a block of keys, it is {described(entry.value)}",
                entry.value,
                _as_block(name, entry.value, likely),
            )
    return found


def _as_block(name: str, node: Node, key: str) -> str:
    if not key or not isinstance(node, Scalar) or not isinstance(node.value, str) or not node.text.strip():
        return ""
    if all(c.isalnum() or c in "_-" for c in node.text):
        return f"write {name}: {{{key}: {node.text}}}"
    return f"write it under '{key}', which belongs into a block"


def vet(connector: ComponentConfig, settings: Any, channel: str, where: Node, findings: Findings) -> None:
    """Reports what a transport finds wrong, or odd, with a channel."""
    for options in (connector.options, settings):
        if isinstance(options, VettingChannels):
            from limecep.config.asked import asked

            what = f"{connector.spec.kind} '{connector.spec.name}'"
            for _, problem in asked(what, where, findings, options, channel, keyed=False):
                findings.add(problem, where)


def check_name(name: str, where: Node, findings: Findings) -> None:
    """Reports a name that would not fit into topics, file names and reports."""
    if not name or not all(c.isalnum() or c in "_-." for c in name):
        findings.error(
            "bad-name",
            f"'{name}' is no name here",
            where,
            "names are made of letters, digits, '_', '-' and '.'",
        )
