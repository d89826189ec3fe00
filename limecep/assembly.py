"""Assembly: from a checked configuration to components. Hooks were called when the registry was made; from
here on everything is a plain call."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.config.advice import event_types
from limecep.contracts.context import Context
from limecep.detection import Detector
from limecep.event_time import SourceTraits
from limecep.feeding import Feed
from limecep.intake.reader import Reader
from limecep.language.walk import named
from limecep.output.delivery import Delivery
from limecep.output.outlets import Outlet, UpdateOutlet
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from limecep.clock import Clock
    from limecep.config.model import ComponentConfig, PatternConfig, PipelineConfig, SinkConfig, SourceConfig
    from limecep.registry import Registry


class Assembly:
    """Makes the components of one pipeline.

    Args:
        config: The configuration.
        registry: The components there are.
        clock: The arrival clock all of them are given.
        logger: The logger.

    Attributes:
        counters: What the components count, by their label (`sources.gas`).
    """

    def __init__(self, config: PipelineConfig, registry: Registry, clock: Clock, logger: Any) -> None:
        self._config = config
        self._registry = registry
        self._clock = clock
        self._logger = logger
        self.counters: dict[str, Counter[str]] = {}
        self._named = {p.name: named(p.pattern.where) for p in config.patterns}

    def detectors(self) -> list[Detector]:
        """The components of every pattern."""
        # Patterns that judge late events alike may share what is stored.
        groups = {(p.lateness.spec.name, repr(p.lateness.options)) for p in self._config.patterns}
        return [self._detector(p, shared=len(groups) == 1) for p in self._config.patterns]

    def _detector(self, pattern: PatternConfig, *, shared: bool) -> Detector:
        context = self._context(f"patterns.{pattern.name}")
        plan = compile_plan(
            pattern.pattern,
            name=pattern.name,
            select=pattern.select,
            params=self._config.params,
            max_per_end=pattern.max_per_end,
            counters=context.counters,
        )

        def make(component: ComponentConfig) -> Any:
            return self._registry.make(component.spec, plan, component.options, context)

        return Detector(
            plan=plan,
            engine=make(pattern.engine),
            lateness=make(pattern.lateness),
            slack=make(pattern.slack),
            results=make(pattern.results),
            context=context,
            group=None if shared else (pattern.lateness.spec.name, repr(pattern.lateness.options)),
        )

    def traits(self) -> dict[str, SourceTraits]:
        """What detection has to know about each source."""
        return {
            s.name: SourceTraits(
                max_future_skew=s.max_future_skew, idle_after=s.idle_after, types=_types(s), every=s.every
            )
            for s in self._config.sources
        }

    def feeds(self) -> list[Feed]:
        """A feed for every source, not open yet."""
        needed = frozenset(t for p in self._config.patterns for t in event_types(p.pattern))
        return [self._feed(s, needed) for s in self._config.sources]

    def _feed(self, source: SourceConfig, needed: frozenset[str]) -> Feed:
        context = self._context(f"sources.{source.name}")
        assert source.codec is not None
        codec = self._registry.make(source.codec.spec, source.codec.options, context)
        transport = self._registry.make(
            source.connector.spec, source.channel, source.settings, source.connector.options, context
        )
        # An event from the future goes to the late output whole, whatever its type.
        relevant = needed if source.max_future_skew is None else None
        return Feed(source.name, transport, Reader(source, codec, self._clock, relevant), live=source.live)

    def delivery(self) -> Delivery:
        """An outlet for every sink, not open yet."""
        sinks = self._config.sinks
        return Delivery(
            [UpdateOutlet(s.name, self._sink(s), s.events, s.patterns) for s in sinks if s.of == "updates"],
            [Outlet(s.name, self._sink(s)) for s in sinks if s.of == "late"],
        )

    def _sink(self, sink: SinkConfig) -> Any:
        context = self._context(f"sinks.{sink.name}")
        return self._registry.make(
            sink.connector.spec, sink.channel, sink.settings, sink.connector.options, context
        )

    def _context(self, label: str) -> Context:
        return Context(
            label=label,
            clock=self._clock,
            counters=self.counters.setdefault(label, Counter()),
            logger=self._logger.bind(component=label),
            root=self._config.root,
            pipeline=self._config.name,
            named=self._named,
        )


def _types(source: SourceConfig) -> frozenset[str] | None:
    """The event types a source can bring; None where its records may name any."""
    return None if source.event_type is None else frozenset({source.event_type})
