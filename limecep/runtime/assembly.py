"""Assembly: from a checked configuration to components. Hooks were called when the registry was made; from
here on everything is a plain call."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from limecep.config.advice import event_types
from limecep.contracts.context import Context
from limecep.contracts.options import Encoded, EndingLines
from limecep.contracts.tables import PLAIN
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.detection.retention import Limits
from limecep.errors import ContractBreach
from limecep.intake.kinds import compared
from limecep.intake.reader import Reader
from limecep.model.walk import named
from limecep.patterns.detector import Detector
from limecep.plan.compiler import compile_plan
from limecep.runtime.components import Components
from limecep.runtime.feeds import Feed
from limecep.runtime.retrieval import Retrieval
from limecep.runtime.run_end import RunEnd
from limecep.runtime.sinks import Sinks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.config.model import (
        ComponentConfig,
        DeriveConfig,
        ObserverConfig,
        PatternConfig,
        PipelineConfig,
        SourceConfig,
    )
    from limecep.contracts.engine import Engine
    from limecep.contracts.lateness import LatenessPolicy
    from limecep.contracts.results import ResultPolicy
    from limecep.contracts.state import StateStore
    from limecep.contracts.tables import Tables
    from limecep.detection.past import Past
    from limecep.model.derivation import Derivation
    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal
    from limecep.patterns.stopping import Stopping
    from limecep.plan.plan import Plan
    from limecep.registry import Registry
    from limecep.state.keeper import Keeper
    from limecep.store.share import Share


class Assembly:
    """Makes the components of one pipeline.

    Args:
        config: The configuration. Its tables are read, where they were not.
        registry: The components there are.
        clock: The arrival clock all of them are given.
        logger: The logger.
        ending: Knows whether the run is to end.

    Attributes:
        clock: As given.
        counters: What the components count, by their label (`sources.gas`).
        components: Those that were made.
        blame, running: As of these.
        sinks: Makes the sinks.
    """

    def __init__(
        self,
        config: PipelineConfig,
        registry: Registry,
        clock: Clock,
        logger: Any,
        ending: RunEnd | None = None,
    ) -> None:
        self._config = config
        self.clock = clock
        self._logger = logger
        self._ending = ending or RunEnd()
        self.counters: dict[str, Counter[str]] = {}
        self.components = Components(registry)
        self.blame, self.running = self.components.blame, self.components.running
        self._make = self.components.make
        self.sinks = Sinks(config, self.components, self._context, clock)
        self._shared: dict[int, dict[str, Any]] = {}
        self._finders: dict[str, tuple[Context, Plan, Engine]] = {}
        #: The patterns that see only what enters after some event, by name, with its ordinal.
        self.since: Mapping[str, int] = {}
        self._named = {p.name: named(p.pattern.where) for p in config.patterns}
        if config.tables:
            # Most pipelines have none.
            from limecep.runtime.tables import fill

            fill(config.tables, self._make, self._context, self.blame)

    def detection(
        self,
        deliver: Callable[[Update], None] | None = None,
        refuse: Callable[[Refusal], None] | None = None,
        *,
        sources: Mapping[str, SourceTraits] | None = None,
        awaits_sources: bool = False,
        past: Past | None = None,
        tables: Tables = PLAIN,
        share: Share | None = None,
        alone: PatternConfig | None = None,
        clock: Clock | None = None,
    ) -> Detection:
        """Detection of the pipeline's patterns, under its clock and within its limits of retention.

        Args:
            deliver: Takes updates; None where matches are only counted.
            refuse: Takes the events that some patterns do not see, or could not use wholly; None for nobody.
            sources: What is known of the sources (`traits`); None for nothing.
            awaits_sources: Whether those hold time back that have brought nothing yet.
            past: Where events that left memory may be had from; None if nowhere.
            tables: Makes the tables of all that must survive a crash.
            share: The keys that it detects for, where several processes divide them; None for all.
            alone: The one pattern that it detects; None for all.
            clock: Its arrival clock, where that is not the pipeline's.
        """
        config = self._config
        detectors = self.detectors() if alone is None else [self._detector(alone)]
        for d in detectors:
            if share is not None and d.results.across_keys and d.plan.partition:
                # Its options should have said so: then the check refuses that.
                self.blame(
                    ContractBreach(d.results, "decides across keys, which are divided among processes")
                )
        return Detection(
            detectors,
            clock or self.clock,
            sources=sources,
            awaits_sources=awaits_sources,
            sequenced=config.sequenced,
            deliver=deliver,
            refuse=refuse,
            limits=Limits(
                time=config.retention_time, events=config.retention_events, size=config.retention_bytes
            ),
            past=past,
            tables=tables,
            share=share,
        )

    def detectors(self) -> list[Detector]:
        """The components of every pattern. Asked again it gives others, but for what remembers nothing:
        plans and engines are made once."""
        try:
            return [self._detector(p) for p in self._config.patterns]
        except (Exception, SystemExit) as error:
            self.blame(error)

    def _detector(self, pattern: PatternConfig) -> Detector:
        context, plan, engine = self._finders.get(pattern.name) or self._finder(pattern)
        stopping, guard = self._guard(context) if pattern.on_error == "disable" else (None, _unguarded)

        def make(component: ComponentConfig) -> Any:
            spec = component.spec
            policy = self._make(spec, context, plan, component.options)
            if not component.brought:
                return guard(spec.kind, policy)
            from limecep.runtime.checked_policies import checked, look_at

            return look_at(spec.kind, guard(spec.kind, checked(spec.kind, policy, plan)))

        lateness: LatenessPolicy = make(pattern.lateness)
        results: ResultPolicy = make(pattern.results)
        finalizes = results.announces or results.emit == "final"
        return Detector(
            plan=plan,
            engine=guard("engine", engine),
            lateness=lateness,
            slack=make(pattern.slack),
            recompute=make(pattern.recompute),
            results=results,
            context=context,
            # What a pattern has called final depends on all that it is.
            group=(
                pattern.lateness.spec.name,
                repr(pattern.lateness.options),
                plan.within if lateness.by_window else None,
                plan.name if finalizes else "",
                self.since.get(pattern.name),
            ),
            since=self.since.get(pattern.name),
            stopping=stopping,
            derives=pattern.derives and _derivation(pattern.derives, plan),
        )

    def _guard(self, context: Context) -> tuple[Stopping, Callable[[str, Any], Any]]:
        """What stops a pattern where a component of it fails, and what puts a guard before each of them."""
        from limecep.patterns.stopping import Stopping
        from limecep.runtime.guards import guarded

        def remind(reason: str) -> None:
            context.logger.warning("stays disabled since an earlier run", reason=reason)

        stopping = Stopping(partial(self.components.disable, context), remind)
        return stopping, partial(guarded, stopping)

    def _finder(self, pattern: PatternConfig) -> tuple[Context, Plan, Engine]:
        """What finds the matches of a pattern, made for good."""
        context = self._context(f"patterns.{pattern.name}")
        plan = compile_plan(
            pattern.pattern,
            name=pattern.name,
            select=pattern.select,
            params=self._config.params,
            max_per_end=pattern.max_per_end,
            pick=pattern.pick,
            counters=context.counters,
        )
        for function in pattern.functions:
            self.components.calls(context.label, function.spec)
        spec = pattern.engine.spec
        engine = self._make(spec, context, plan, pattern.engine.options)
        results = getattr(engine, "results", None)
        if results != spec.answers:
            from limecep.contracts.duties import other_results

            self.blame(ContractBreach(engine, other_results(spec, results)))
        if pattern.engine.brought:
            from limecep.runtime.checked import checked

            engine = checked(engine, plan)
        self._finders[pattern.name] = context, plan, engine
        return context, plan, engine

    def count_anew(self) -> None:
        """Forgets what was counted."""
        for counters in self.counters.values():
            counters.clear()

    def traits(self) -> dict[str, SourceTraits]:
        """What detection has to know about each source."""
        return {
            s.name: SourceTraits(
                max_future_skew=s.max_future_skew,
                idle_after=s.idle_after,
                types=_types(s),
                every=s.every,
                revises=s.revise is not None,
            )
            for s in self._config.sources
        }

    def feeds(self) -> list[Feed]:
        """A feed for every source, not open yet."""
        return [self._feed(s) for s in self._config.sources]

    def _feed(self, source: SourceConfig) -> Feed:
        context = self._context(f"sources.{source.name}", source.connector)
        context.resumes = self._config.state is not None
        if source.codec is not None:
            options = source.codec.options
            if isinstance(options, Encoded):
                context.encoding = options.encoding
            if isinstance(options, EndingLines):
                context.whole = options.whole
        connector = source.connector
        transport = self._make(connector.spec, context, source.channel, source.settings, connector.options)
        if connector.brought:
            from limecep.runtime.checked_sources import checked

            transport = checked(transport)
        return Feed(source.name, transport, partial(self.reader, source), live=source.live)

    def reader(self, source: SourceConfig) -> Reader:
        """What makes events of a source's messages, by whatever way they come."""
        assert source.codec is not None
        context = self._context(f"sources.{source.name}", source.connector)
        context.lines = "lines" in source.connector.spec.capabilities
        decoder = self._make(source.codec.spec, context, source.codec.options)
        formats = {}
        for name, time in (("time", source.time), ("arrival", source.arrival)):
            if time is not None and time.brought is not None:
                its = self._context(f"{context.label}.{name}")
                formats[name] = self._make(time.brought.spec, its, time.brought.options)
        own: type[Reader] | None = None
        if source.codec.brought:
            from limecep.intake.checked import checked

            decoder = checked(decoder, context.counters)
        else:
            # What a program brings has a reader of its own, and no codec that fails.
            own = getattr(decoder, "reader", None)
        given = source, decoder, self.clock, self._needed, self._compared, formats
        if own is not None or source.on_error == "fail":
            return (own or Reader)(*given)
        from limecep.intake.sparing import SparingReader

        return SparingReader(self.components.words, context.label, *given)

    @cached_property
    def _needed(self) -> frozenset[str] | None:
        """The event types that patterns have to do with; None for all."""
        if any(p.select == "sc" for p in self._config.patterns):
            # Whatever stands between two events parts them: it is kept like all others.
            return None
        return frozenset(t for p in self._config.patterns for t in event_types(p.pattern))

    @cached_property
    def _compared(self) -> dict[str, set[str]]:
        return compared(p.pattern for p in self._config.patterns)

    def state(self) -> StateStore | None:
        """The state store, not open yet; None if the pipeline keeps none."""
        state = self._config.state
        if state is None:
            return None
        store: StateStore = self._make(state.spec, self._context("state"), state.options)
        if state.brought:
            from limecep.state.stores import checked

            return checked(store)
        return store

    def keeper(self) -> Keeper | None:
        """What keeps the state in that store."""
        store = self.state()
        if store is None:
            return None
        # Most pipelines on a bench and in a test have none, and start sooner without it.
        from limecep.state.keeper import Keeper

        return Keeper(store, self._config, self._logger)

    def retrieval(self, feeds: Sequence[Feed], keeper: Keeper | None) -> Retrieval:
        """What gives back events that have left memory: the sources, or the journal of a state. What is
        derived stands in no log of a source, so these are of no use then."""
        journal = None if keeper is None else keeper.journal
        return Retrieval(() if self._config.derives else feeds, journal, self._ending.check)

    def observer(self, observer: ObserverConfig) -> tuple[Any, Context]:
        """An observer, not open yet, and what it was given."""
        context = self._context(f"observers.{observer.name}")
        return self._make(observer.component.spec, context, observer.component.options), context

    def _context(self, label: str, connector: ComponentConfig | None = None) -> Context:
        return Context(
            label=label,
            clock=self.clock,
            counters=self.counters.setdefault(label, Counter()),
            logger=self._logger.bind(component=label),
            root=self._config.root,
            pipeline=self._config.name,
            # Whoever names one connector has one object for it, which lives as long as the configuration.
            shared={} if connector is None else self._shared.setdefault(id(connector), {}),
            named=self._named,
            stopping=self._ending.asked,
            raise_if_stopped=self._ending.check,
        )


def _derivation(derives: DeriveConfig, plan: Plan) -> Derivation:
    # Most pipelines have one level.
    from limecep.model.derivation import Derivation

    return Derivation(*derives, plan.within)


def _unguarded(kind: str, component: Any) -> Any:
    """A component that nothing stands before."""
    return component


def _types(source: SourceConfig) -> frozenset[str] | None:
    """The event types a source can bring; None where its records may name any."""
    return None if source.event_type is None else frozenset({source.event_type})
