"""The sinks of a pipeline, with all that stands before them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from limecep.output.delivery import Delivery
from limecep.output.outlets import Outlet, UpdateOutlet

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.clock import Clock
    from limecep.config.model import ComponentConfig, PipelineConfig, SinkConfig
    from limecep.contracts.codec import Encoder
    from limecep.contracts.context import Context
    from limecep.output.repeating import Repeating
    from limecep.output.through import Through
    from limecep.runtime.components import Components

    #: Gives the context of a component by its label, and by its connector.
    Contexts = Callable[[str, ComponentConfig | None], Context]


class Sinks:
    """Makes them.

    Args:
        config: The pipeline.
        components: Makes components.
        context: Gives what a component is made with.
        clock: The arrival clock.
    """

    def __init__(
        self, config: PipelineConfig, components: Components, context: Contexts, clock: Clock
    ) -> None:
        self._config = config
        self._components = components
        self._make = components.make
        self._context = context
        self._clock = clock

    def delivery(self) -> Delivery:
        """An outlet for every sink, not open yet."""
        made = [(s, self.sink(s), self.through(s)) for s in self._config.sinks]
        # A sink that others are spared is disabled with what changes its records.
        ways = [(s, sink, sink.sparing(t) if t and s.on_error == "disable" else t) for s, sink, t in made]
        try:
            return Delivery(
                [
                    UpdateOutlet(
                        s.name, k, s.events, s.taken, _own(s), t, s.connector, s.bound, self._repeating(s)
                    )
                    for s, k, t in ways
                    if s.of == "updates"
                ],
                [Outlet(s.name, k, _own(s), t, s.connector, s.bound) for s, k, t in ways if s.of == "late"],
            )
        except (Exception, SystemExit) as error:
            self._components.blame(error)

    def _repeating(self, sink: SinkConfig) -> Repeating | None:
        if sink.repeat is None:
            return None
        # Few sinks repeat anything.
        from limecep.output.repeating import Repeating

        counters = self._context(f"sinks.{sink.name}", None).counters
        return Repeating(sink.repeat, self._clock.now, counters)

    def sink(self, sink: SinkConfig) -> Any:
        """A sink, not open yet."""
        context = self._context(f"sinks.{sink.name}", sink.connector)
        context.encoder = self.encoder(sink)
        context.resumes = self._config.state is not None
        if any(p.pattern.returns for p in self._config.patterns):
            # Few patterns have values.
            from limecep.config.returned import returned_kinds

            context.returned = returned_kinds(self._config)
        connector = sink.connector
        made = self._make(connector.spec, context, sink.channel, sink.settings, connector.options)
        if sink.on_error == "fail":
            return made
        from limecep.output.spared import Spared

        return Spared(made, partial(self._components.disable, context), context.counters)

    def through(self, sink: SinkConfig) -> Through | None:
        """What changes the records of a sink; None where nothing does."""
        if not sink.through:
            return None
        from limecep.output.through import Through

        made = []
        counters = self._context(f"sinks.{sink.name}", None).counters
        for number, transform in enumerate(sink.through, start=1):
            context = self._context(f"sinks.{sink.name}.through.{number}", None)
            context.counters = counters
            made.append((self._make(transform.spec, context, transform.options), transform.brought))
        return Through(made, counters)

    def encoder(self, sink: SinkConfig) -> Encoder:
        """What makes messages of the records of a sink."""
        context = self._context(f"sinks.{sink.name}", sink.connector)
        if sink.envelope is None:
            return context.encoder
        encoder: Encoder = self._make(sink.envelope.spec, context, sink.envelope.options)
        return encoder


def _own(sink: SinkConfig) -> Callable[[Any], Any] | None:
    """What copies the records of a sink, where it, or what they go through, might change them."""
    if "encodes" in sink.connector.spec.capabilities and not sink.through:
        return None
    from limecep.output.owned import owned

    return owned
