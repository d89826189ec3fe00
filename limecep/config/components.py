"""References to components: `maximal`, or `{type: score, factor: 2.5}`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from limecep.config.model import ComponentConfig
from limecep.config.nodes import Block, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.config.units import duration
from limecep.problems import suggestion
from limecep.registry import OWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.config.findings import Findings
    from limecep.model.function import Function
    from limecep.problems import Problem
    from limecep.registry import Registry
    from limecep.spec import ComponentSpec


class Components:
    """Looks components up and reads their options."""

    def __init__(self, registry: Registry, findings: Findings) -> None:
        self._registry = registry
        self._findings = findings

    def names(self, kind: str) -> list[str]:
        """The names there are of a kind."""
        return self._registry.names(kind)

    def specs(self, kind: str) -> list[ComponentSpec]:
        """The specs there are of a kind, by name."""
        return self._registry.specs(kind)

    def function(self, name: str) -> Function | Problem:
        """What queries call by a name; a problem says why it cannot be had."""
        # Most queries call none.
        from limecep.language.functions import function

        return function(self._registry, name)

    def look(self, kind: str, name: str) -> ComponentSpec | None:
        """The spec of a component, if there is one; reports nothing."""
        return self._registry.find(kind, name)

    def find(self, kind: str, name: str, where: Node, *, contract: str = "") -> ComponentSpec | None:
        """The spec of a component that can be used; reports why it cannot.

        Args:
            kind, name: Its kind, and its name.
            where: Where it is named.
            contract: What it has to keep there, if that is not the contract of its kind.
        """
        spec = self._registry.find(kind, name)
        if spec is None or self._registry.missing(spec) is not None:
            problem = self._registry.problem(kind, name)
            if problem.code == "unknown-component":
                off = name == "off" and self._registry.find(kind, "none") is not None
                hint = f"write {kind}: none" if off else self._of_duration(kind, name)
                problem = replace(problem, hint=hint or problem.hint)
            self._findings.add(problem, where)
        elif (plugin := self._registry.origin(spec)) is not None and plugin.distribution != OWN:
            # What limecep itself brings keeps its contracts.
            from limecep.config.duties import check_duties

            check_duties(spec, plugin, self._registry, where, self._findings, contract)
        return spec

    def _of_duration(self, kind: str, name: str) -> str:
        """What to write where a duration stands in the place of a component's name."""
        try:
            duration(name)
        except ValueError:
            return ""
        for spec in sorted(self._registry.specs(kind), key=lambda s: not s.default):
            for field, key in zip(fields(spec.options), keys(spec.options), strict=True):
                if field.metadata.get("unit") == "duration":
                    return f"write {kind}: {{type: {spec.name}, {key}: {name}}}"
        return ""

    def read(
        self,
        kind: str,
        node: Node | None,
        where: Node,
        *,
        default: str | None = None,
        other: Iterable[str] = (),
        contract: str = "",
    ) -> ComponentConfig | None:
        """The component that a node names, with its options.

        Args:
            kind: The kind of component.
            node: A name, or a block with `type` and options; without either it is the default one.
            where: What to point at where the default is used.
            default: The default one, if it is not the one whose spec says so.
            other: Keys of such a block that are not the component's.
            contract: As for `find`.
        """
        block = node if isinstance(node, Block) else Block(entries={}, origin=(node or where).origin)
        named = block.get("type") if isinstance(node, Block) else node
        if named is not None:
            where = named
            name = self.type_name(named, kind, self.names(kind))
        else:
            name = default or self._default(kind, where)
        spec = None if name is None else self.find(kind, name, where, contract=contract)
        if spec is None:
            return None
        what = f"{kind} '{spec.name}'"
        of_others = {
            key: f"it is an option of {s.name}: write type: {s.name}"
            for s in reversed(self.specs(kind))
            for key in keys(s.options)
        }
        known = [*other, "type", *keys(spec.options)]
        check_keys(block, known, what, self._findings, elsewhere=of_others)
        options: Any = read(block, spec.options, what, self._findings, where)
        return None if options is None else self.configured(spec, options)

    def configured(self, spec: ComponentSpec, options: Any) -> ComponentConfig:
        """A component with its options."""
        plugin = self._registry.origin(spec)
        origin = "" if plugin is None else plugin.distribution
        return ComponentConfig(spec=spec, options=options, origin=origin)

    def _default(self, kind: str, where: Node) -> str | None:
        """The name of the default component; reports where there is none."""
        spec = self._registry.default(kind)
        if spec is None:
            self._findings.add(self._registry.no_default(kind), where)
            return None
        return spec.name

    def codec_of(self, source: ComponentSpec, channel: str, where: Node) -> str | None:
        """The name of the codec for a channel whose source names none; reports that nobody can tell."""
        if not source.format_of:
            return self._default("codec", where)
        name = str(self._registry.load(source, source.format_of)(channel))
        if not name:
            known = ", ".join(self.names("codec"))
            self._findings.error(
                "missing-format",
                f"'{channel}' does not tell its format",
                where,
                f"add 'format', one of: {known}",
            )
        return name or None

    def type_name(self, node: Node, kind: str, known: Iterable[str]) -> str | None:
        """The text that names a component of a kind."""
        if isinstance(node, Scalar) and node.failed:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return node.text
        self._findings.error(
            "wrong-type",
            f"{kind} must be a name, or a block with 'type' and options, not {described(node)}",
            node,
            suggestion("", known),
        )
        return None
