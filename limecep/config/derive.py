"""The `derive` blocks of patterns: what their matches are to other patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.config.advice import event_types, tells_finals
from limecep.config.blocks import DeriveBlock
from limecep.config.levels import circle_of, read_by
from limecep.config.model import DeriveConfig
from limecep.config.nodes import Block, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.contracts.options import MaybeBounded
from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.alternatives import sequences
from limecep.model.expression import Attribute

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from limecep.config.components import Components
    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SourceConfig
    from limecep.config.nodes import Node
    from limecep.model.pattern import Sequence as Steps
    from limecep.model.table import Table


class Derivations:
    """What patterns derive, before their queries are checked.

    Args:
        blocks: The blocks of the patterns, by name.
        sources: The sources.
        findings: Takes what is wrong.
    """

    def __init__(
        self, blocks: Mapping[str, Block], sources: Sequence[SourceConfig], findings: Findings
    ) -> None:
        self._blocks = blocks
        self._findings = findings
        self._found: dict[str, DeriveConfig] = {}
        brought = {s.event_type: s.name for s in sources if s.event_type is not None}
        names = {s.name for s in sources}
        for name, block in blocks.items():
            given = block.get("derive")
            if isinstance(given, Block):
                self._read(name, given, brought, names)

    def _read(self, name: str, node: Block, brought: Mapping[str, str], names: Collection[str]) -> None:
        findings = self._findings
        what = f"'derive' of pattern '{name}'"
        check_keys(node, keys(DeriveBlock), what, findings, needed=["as"])
        block = read(node, DeriveBlock, what, findings)
        if block is None or block.as_ is None or block.as_.failed:
            return
        event_type = block.as_.value
        if not isinstance(event_type, str) or not event_type:
            findings.error("wrong-type", f"'as' must be text, not {described(block.as_)}", block.as_)
        elif event_type in brought:
            findings.error(
                "conflict",
                f"source '{brought[event_type]}' brings '{event_type}' as well",
                block.as_,
                "derive events of a type of their own",
            )
        elif name in names:
            findings.error(
                "conflict",
                f"a source is called '{name}' as well: nobody could tell its events from those derived here",
                block.as_,
                "give the pattern another name",
            )
        else:
            self._found[name] = DeriveConfig(event_type, block.time)

    def of(self, name: str) -> DeriveConfig | None:
        """What a pattern derives; None for nothing."""
        return self._found.get(name)

    @property
    def types(self) -> frozenset[str]:
        """The types of all that is derived."""
        return frozenset(d.type for d in self._found.values())

    def attributes(
        self, components: Components, tables: Mapping[str, Table], params: Mapping[str, Any] | None
    ) -> dict[str, frozenset[str]]:
        """The attributes of the events of each type, where the queries of all that derive it can be read."""
        found: dict[str, frozenset[str] | None] = {}
        for name, derivation in self._found.items():
            own = self._attributes(self._blocks[name].get("query"), components, tables, params)
            known = found.get(derivation.type, frozenset())
            found[derivation.type] = None if known is None or own is None else known | own
        return {t: known for t, known in found.items() if known is not None}

    def _attributes(
        self,
        query: Node | None,
        components: Components,
        tables: Mapping[str, Table],
        params: Mapping[str, Any] | None,
    ) -> frozenset[str] | None:
        if not isinstance(query, Scalar) or not isinstance(query.value, str):
            return None
        try:
            pattern = parse(query.value, components.function, tables, params)
        except QueryError:
            return None
        return frozenset([*(r.name for r in pattern.returns), *map(".".join, pattern.partition)])


def check_levels(patterns: Sequence[PatternConfig], findings: Findings, block: Block) -> None:
    """What is wrong with patterns that derive, and with those that read it, once all could be read."""
    below = read_by(patterns)
    circle = circle_of(below)
    if circle:
        way = " -> ".join(f"'{name}'" for name in [*circle, circle[0]])
        findings.error(
            "derive-cycle",
            f"pattern '{circle[0]}' derives what it reads, over {way}"
            if len(circle) > 1
            else f"pattern '{circle[0]}' derives what it reads",
            _derive(block, circle[0]),
            "no pattern may derive, over any number of steps, what it reads",
        )
    for p in patterns:
        if p.derives is None:
            continue
        for value in p.pattern.returns:
            expression = value.expression
            own = isinstance(expression, Attribute) and expression.path == (value.name,)
            if (value.name,) in p.pattern.partition and not own:
                findings.error(
                    "conflict",
                    f"'{value.name}' is what pattern '{p.name}' is partitioned by: events derived of it have "
                    "that attribute, so RETURN cannot give it another value",
                    block.entries[p.name].key,
                    "return the value by another name",
                )
        if p.derives.time == "deadline" and not all(_waits(s) for s in sequences(p.pattern.structure)):
            findings.error(
                "bad-value",
                f"'time: deadline' is the end of the window in which something must not come: '{p.name}' "
                "does not end with a negated step",
                _derive(block, p.name).get("time"),
                "write time: end",
            )
        if not any(p.name in names for names in below.values()):
            named = sorted({t for q in patterns for t in event_types(q.pattern)})
            findings.warning(
                "unused-type",
                f"pattern '{p.name}' derives '{p.derives.type}', which no pattern names",
                _derive(block, p.name).get("as"),
                f"let a pattern name it, or leave 'derive' out; patterns name {', '.join(named)}",
            )
    if not circle:
        _check_horizons(patterns, below, findings, block)


def _check_horizons(
    patterns: Sequence[PatternConfig], read: Mapping[str, Sequence[str]], findings: Findings, block: Block
) -> None:
    """What is final can stand only on what becomes final."""
    by_name = {p.name: p for p in patterns}

    def open_below(name: str) -> str | None:
        for below in read[name]:
            p = by_name[below]
            bounded = isinstance(p.lateness.options, MaybeBounded) and p.lateness.options.bounded
            if not bounded and not tells_finals(p.results.options):
                return below
            if (found := open_below(below)) is not None:
                return found
        return None

    for p in patterns:
        if tells_finals(p.results.options) and (below := open_below(p.name)) is not None:
            findings.error(
                "no-horizon",
                f"pattern '{p.name}' asks for results that are final, but reads what pattern '{below}' "
                f"derives, whose lateness policy '{by_name[below].lateness.spec.name}' may accept events "
                "however late",
                block.entries[p.name].key,
                f"bound what is accepted in '{below}': lateness: {{type: bound, within: 10m}}",
            )


def _derive(block: Block, name: str) -> Block:
    pattern = block.entries[name].value
    assert isinstance(pattern, Block)
    derive = pattern.get("derive")
    assert isinstance(derive, Block)
    return derive


def _waits(sequence: Steps) -> bool:
    """Whether a sequence ends with a negated step."""
    last = sequence.parts[-1]
    return bool(getattr(last, "negated", False))
