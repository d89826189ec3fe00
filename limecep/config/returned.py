"""The kinds of the values that patterns return, as far as a configuration says them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from limecep.intake.fields import OTHERS
from limecep.language.callcheck import kind_in
from limecep.model.alternatives import sequences, written
from limecep.model.expression import Aggregate, Attribute, Expression, Unary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.config.model import PatternConfig, PipelineConfig, SourceConfig

_NONE: Mapping[str, str] = MappingProxyType({})


def returned_kinds(config: PipelineConfig, columns: Mapping[str, str] = _NONE) -> dict[str, str]:
    """The kind of each value that a pattern returns, by its name: `int`, `float`, `str`, `bool` or `Instant`;
    "" where events decide it, or patterns differ.

    Args:
        config: The pipeline.
        columns: The kinds of attributes of which no source says them.
    """
    found: dict[str, set[str]] = {}
    for pattern in config.patterns:
        for value in pattern.pattern.returns:
            kinds = found.setdefault(value.name, set())
            kinds.add(_kind(value.expression, pattern, config, columns))
    return {name: _of_all(kinds) for name, kinds in found.items()}


def _of_all(kinds: set[str]) -> str:
    """The kind of values of these, null aside."""
    kinds = kinds - {"null"}
    if kinds == {"int", "float"}:
        return "float"
    return next(iter(kinds)) if len(kinds) == 1 else ""


def _kind(
    node: Expression, pattern: PatternConfig, config: PipelineConfig, columns: Mapping[str, str]
) -> str:
    kind = kind_in(node, config.params)
    if isinstance(node, Attribute | Aggregate) and not kind:
        kind = _of_all({_declared(s, node.path, columns) for s in _bringing(node.variable, pattern, config)})
    elif isinstance(node, Unary) and node.operator != "not":
        # A number as it is, with another sign.
        inner = _kind(node.operand, pattern, config, columns)
        kind = inner if inner in ("int", "float") else kind
    if kind.startswith("list"):
        return ""
    return "float" if kind == "fraction" else kind


def _bringing(variable: str, pattern: PatternConfig, config: PipelineConfig) -> list[SourceConfig]:
    """The sources that may bring events of a variable."""
    steps = (s for sequence in sequences(pattern.pattern.structure) for s in written(sequence.parts))
    types = {t for s in steps if s.variable == variable for t in s.types}
    return [s for s in config.sources if s.type_field is not None or (s.event_type or s.name) in types]


def _declared(source: SourceConfig, path: tuple[str, ...], columns: Mapping[str, str]) -> str:
    """The type of an attribute as a source declares it; "" if it does not."""
    name = ".".join(path)
    types = source.payload or {}
    kind = types.get(name) or types.get(OTHERS, "any")
    return columns.get(name, "") if kind == "any" else kind
