"""What is sent to the workers: the pipeline, and where its records are to go."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from uuid import uuid4

import structlog

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, Registry
from limecep_spark_runner.config import BUCKETS
from limecep_spark_runner.groups import Group, groups

if TYPE_CHECKING:
    from typing import Any

    from limecep import ComponentSpec
    from limecep.embedding.pipelines import PipelineConfig
    from limecep.output.record import Events

#: The time at which all input is over, in microseconds: 9998-01-01. No event time comes so far.
OVER_US = 253_339_228_800_000_000

#: The bucket of what belongs to no key: records that gave no event, and counts.
ASIDE = -1

#: The number in place of a sink's for counts.
COUNTS = -1


Form = Literal["record", "line", "message"]


@dataclass(frozen=True, kw_only=True)
class Output:
    """What is made for one sink.

    Attributes:
        sink: The sink's place in the pipeline.
        form: What workers make: a record for a sink on the driver, a line of a file, or a message of a topic.
        events: How much of each event a record carries.
        delay: Whether records say how long after it could have been told something was told.
    """

    sink: int
    form: Form
    events: Events
    delay: bool = False


@dataclass(frozen=True, kw_only=True)
class Work:
    """A pipeline for workers, who make of it what they need.

    Attributes:
        config: The pipeline.
        specs: The components there are.
        outputs: What is made for sinks; others are sent nothing.
        buckets: How many buckets the keys are divided into.
        name: Tells this run of a pipeline from others, wherever they are.
    """

    config: PipelineConfig
    specs: tuple[ComponentSpec, ...]
    outputs: tuple[Output, ...]
    buckets: int = BUCKETS
    name: str = field(default_factory=lambda: uuid4().hex)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Work) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @cached_property
    def registry(self) -> Registry:
        """The components."""
        return Registry(self.specs)

    @cached_property
    def groups(self) -> list[Group]:
        """The groups of patterns."""
        return groups(self.config)

    def assembly(self, config: PipelineConfig | None = None) -> Assembly:
        """What makes components where work is done, with a clock of its own.

        Args:
            config: A part of the pipeline; None for all of it.
        """
        return Assembly(config or self.config, self.registry, ManualClock(), self.logger)

    @cached_property
    def logger(self) -> Any:
        """The logger."""
        return structlog.get_logger().bind(pipeline=self.config.name)

    def __getstate__(self) -> dict[str, Any]:
        # What is made of them is made again where it is needed.
        return {f.name: getattr(self, f.name) for f in fields(self)}
