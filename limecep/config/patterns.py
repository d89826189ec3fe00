"""The `patterns` block."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from limecep.config.advice import tells_finals
from limecep.config.blocks import PatternBlock, ResultsBlock
from limecep.config.connectors import named_blocks
from limecep.config.model import PatternConfig
from limecep.config.nodes import Block, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.contracts.options import MaybeBounded, NeedingHorizon, VettingPlans
from limecep.language.check import check
from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.expression import Call
from limecep.model.pattern import Select
from limecep.model.walk import walk
from limecep.plan.compiler import compile_plan
from limecep.problems import Problem
from limecep.spec import NoOptions, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep.config.components import Components
    from limecep.config.derive import Derivations
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig, SourceConfig
    from limecep.config.nodes import Node
    from limecep.language.problems import QueryProblem
    from limecep.model.pattern import Pattern
    from limecep.model.table import Table


class Patterns:
    """Reads patterns.

    Args:
        types: The event types there are; None if there may be others.
        attributes: The attributes of each type of which all are known.
        params: The names of the parameters, with their values; None if they could not be read.
        sources: The sources.
        tables: The tables there are.
    """

    def __init__(
        self,
        components: Components,
        findings: Findings,
        *,
        types: frozenset[str] | None,
        attributes: Mapping[str, frozenset[str]],
        params: Mapping[str, Any] | None,
        sources: Sequence[SourceConfig],
        tables: Mapping[str, Table],
    ) -> None:
        self._components = components
        self._findings = findings
        self._types = types
        self._attributes = attributes
        self._params = params
        self._sources = sources
        self._own = _own(sources)
        self._tables = tables
        self._derivations: Derivations | None = None

    def read(self, block: Block | None) -> tuple[PatternConfig, ...]:
        """Every pattern that could be read."""
        named = named_blocks(block, self._findings, "query")
        blocks = {name: node for name, (_, node) in named.items()}
        if any("derive" in node.entries for node in blocks.values()):
            # Most pipelines have one level.
            from limecep.config.derive import Derivations

            self._derivations = known = Derivations(blocks, self._sources, self._findings)
            self._types = None if self._types is None else self._types | known.types
            derived = known.attributes(self._components, self._tables, self._params)
            self._attributes = {**self._attributes, **derived}
        read = [self._pattern(*item) for item in named.items()]
        found = tuple(p for p in read if p is not None)
        if self._derivations is not None and block is not None and not self._findings.failed:
            from limecep.config.derive import check_levels

            check_levels(found, self._findings, block)
        return found

    def _pattern(self, name: str, named: tuple[Scalar, Block]) -> PatternConfig | None:
        key, node = named
        what = f"pattern '{name}'"
        errors = self._findings.errors
        check_keys(node, keys(PatternBlock), what, self._findings, needed=["query"])
        block = read(node, PatternBlock, what, self._findings, key)
        assert block is not None
        pattern = self._query(block.query)
        made: dict[str, Any] = {
            kind: self._components.read(kind, getattr(block, kind), key, other=_KERNEL.get(kind, ()))
            for kind in ("engine", "lateness", "slack", "recompute", "results")
        }
        self._check_horizon(made["lateness"], made["results"], block.results or key)
        results = read(
            block.results if isinstance(block.results, Block) else Block(entries={}, origin=key.origin),
            ResultsBlock,
            "'results'",
            self._findings,
        )
        select = self._select(node, block, pattern, made["engine"])
        if pattern is None or results is None or None in made.values():
            return None
        config = PatternConfig(
            name=name,
            pattern=pattern,
            select=select,
            max_per_end=results.max_per_end,
            pick=results.pick,
            on_error=block.on_error,
            functions=self._called(pattern),
            tables=self._looked_into(pattern),
            derives=None if self._derivations is None else self._derivations.of(name),
            begins="memory" if block.from_ is None else self._begins(block.from_),
            announce=block.announce,
            **made,
        )
        if self._findings.errors == errors:
            self._check_plan(config, {kind: getattr(block, kind) or key for kind in made})
        return config

    def _begins(self, node: Scalar) -> Any:
        from limecep.config.beginnings import begins  # Few patterns say.

        return begins(node, self._findings)

    def _query(self, node: Scalar | None) -> Pattern | None:
        if node is None or node.failed:
            return None
        if not isinstance(node.value, str):
            self._findings.error("wrong-type", f"'query' must be text, not {described(node)}", node)
            return None
        try:
            pattern = parse(node.value, self._components.function, self._tables, self._params)
        except QueryError as e:
            self._report([self._meant(p, node.value) for p in e.problems], node)
            return None
        self._report(
            check(
                pattern,
                types=self._types,
                attributes=self._attributes,
                params=self._params,
                own=self._own,
            ),
            node,
        )
        return pattern

    def _called(self, pattern: Pattern) -> tuple[ComponentConfig, ...]:
        """The functions that it calls, each once."""
        nodes = (node for expression in pattern.expressions for node in walk(expression))
        names = dict.fromkeys(node.function.name for node in nodes if isinstance(node, Call))
        specs = (self._components.look("function", name) for name in names)
        return tuple(self._components.configured(s, NoOptions()) for s in specs if s is not None)

    def _looked_into(self, pattern: Pattern) -> tuple[str, ...]:
        """The tables that it looks into, each once."""
        if not self._tables:
            return ()
        # Most pipelines have none.
        from limecep.model.table import columns_in

        found = (column for expression in pattern.expressions for _, column in columns_in(expression))
        return tuple(dict.fromkeys(column.table.name for column in found))

    def _meant(self, problem: QueryProblem, text: str) -> QueryProblem:
        """A problem with a name that is one of a parameter."""
        name = text[problem.start : problem.end]
        if problem.code != "unknown-variable" or name not in (self._params or ()):
            return problem
        return replace(problem, hint=f"did you mean ${name}? {problem.hint}")

    def _report(self, problems: Iterable[QueryProblem], node: Scalar) -> None:
        for p in problems:
            place = node.origin.place(p.start, max(p.end, p.start + 1))
            if p.fault is not None:
                from limecep.config.faulty import report_function

                report_function(self._components, *p.fault, place, self._findings)
                continue
            problem = Problem(code=p.code, message=p.message, hint=p.hint, severity=p.severity)
            self._findings.add(problem, place)

    def _select(
        self, node: Block, block: PatternBlock, pattern: Pattern | None, engine: ComponentConfig | None
    ) -> Select:
        said = pattern.select if pattern else None
        if said and block.select and said != block.select:
            self._findings.error(
                "conflict",
                f"'select' is {block.select}, but the query itself says {said}",
                node.get("select"),
                "leave one of them out",
            )
        select: Select = block.select or said or "stnm"
        known = engine.spec.capabilities & set(get_args(Select)) if engine else None
        if engine and known and select not in known:
            self._findings.error(
                "unsupported-select",
                f"engine '{engine.spec.name}' does not know the selection policy '{select}'",
                node.get("select") or block.query,
                f"it knows {', '.join(sorted(known))}",
            )
        return select

    def _check_horizon(
        self, lateness: ComponentConfig | None, results: ComponentConfig | None, node: Node
    ) -> None:
        """What waits until nothing can change it needs to know when that is, and nothing else does."""
        given = node.get("horizon") if isinstance(node, Block) else None
        if given is not None and results is not None and not tells_finals(results.options):
            self._findings.warning(
                "unused-option",
                "'horizon' does nothing: it says when results are final, and none is called so",
                given,
                "add emit: final, or final: true; what is too late is for a lateness policy to say",
            )
        asking = results.options if results is not None else None
        key = asking.needs_horizon if isinstance(asking, NeedingHorizon) else ""
        if not key or lateness is None:
            return
        if isinstance(lateness.options, MaybeBounded) and lateness.options.bounded:
            return
        if given is not None:
            # It is there, and wrong: that has been said.
            return
        kinds = self._components.specs("lateness")
        bounded = [s for s in (lateness.spec, *kinds) if isinstance(s.options, MaybeBounded)]
        asked = getattr(asking, key)
        said = "true" if asked is True else asked
        other = f"; or bound what is accepted: {bounded[0].example}" if bounded and bounded[0].example else ""
        self._findings.error(
            "no-horizon",
            f"'{key}' asks for results that are final, but lateness policy '{lateness.spec.name}' may accept "
            "events however late",
            (node.get(key) if isinstance(node, Block) else None) or node,
            f"write results: {{{key}: {said}, horizon: 10m}}{other}",
        )

    def _check_plan(self, config: PatternConfig, nodes: Mapping[str, Node]) -> None:
        """What components say of the plan that they would be made for."""
        vetting = [c for c in map(partial(getattr, config), nodes) if isinstance(c.options, VettingPlans)]
        if not vetting or self._params is None:
            return
        from limecep.config.asked import asked

        plan = compile_plan(
            config.pattern,
            name=config.name,
            select=config.select,
            params=self._params,
            max_per_end=config.max_per_end,
            pick=config.pick,
        )
        for component in vetting:
            node = nodes[component.spec.kind]
            what = f"{title(component.spec.kind)} '{component.spec.name}'"
            for key, problem in asked(what, node, self._findings, component.options, plan):
                self._findings.add(problem, (node.get(key) if isinstance(node, Block) else None) or node)


def _own(sources: Sequence[SourceConfig]) -> dict[str, tuple[str, ...]]:
    """The fields that the `id` and the `type` of events are made of."""
    types = {s.type_field for s in sources}
    return {
        "id": tuple(dict.fromkeys(field for s in sources for field in s.id)),
        "type": tuple(sorted(t for t in types if t is not None)),
    }


#: Keys of a component's block that the kernel takes.
_KERNEL: dict[str, list[str]] = {"results": keys(ResultsBlock)}
