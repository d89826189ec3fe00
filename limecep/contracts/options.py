"""What the options and settings of components may say besides.

The kernel looks for these before it makes a component, with `isinstance`: options that have an attribute of
that name, as a field, a property, a class attribute or a method, have the ability. Some hosts of the kernel
look for them, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from limecep.config.model import PipelineConfig
    from limecep.plan.plan import Plan
    from limecep.problems import Problem
    from limecep.spec import Kind

# -- sources and sinks -------------------------------------------------------------------------------------


@runtime_checkable
class VettingChannels(Protocol):
    """Options, or settings, of a source, sink or table that know what is wrong with a channel."""

    def vet(self, channel: str) -> Iterable[Problem]:
        """All that is wrong or odd with a channel, as far as can be told without opening it."""


@runtime_checkable
class InFolder(Protocol):
    """Options of a source, sink or table of files: its channel is a path, or a glob, below a folder."""

    @property
    def root(self) -> str:
        """The folder, below that of the pipeline's file."""


@runtime_checkable
class NamingPath(Protocol):
    """Options, or settings, of a sink that may name its channel themselves."""

    @property
    def path(self) -> str | None:
        """The channel; "" or None if they name none."""


@runtime_checkable
class ReadingSeveral(Protocol):
    """Options of a source whose channels mean several, by wildcards or expressions."""

    def reads(self, channel: str, other: str) -> bool:
        """Whether a channel means the other one, too."""


@runtime_checkable
class MaybeLive(Protocol):
    """Settings of a source that is `finite` or not."""

    @property
    def live(self) -> bool:
        """Whether it never ends by itself."""


@runtime_checkable
class Paced(Protocol):
    """Settings of a source of recordings that may read them as fast as they came."""

    @property
    def paced(self) -> bool:
        """Whether reading takes the time that recording did, or a part of it."""


@runtime_checkable
class ShowingValues(Protocol):
    """Options of a transform that shows values of RETURN."""

    @property
    def values(self) -> Collection[str]:
        """Their names. A check warns of those that a pattern does not return."""


@runtime_checkable
class ShowingEvents(Protocol):
    """Options of a transform that shows what records have of events."""

    def untold(self, variables: Collection[str], *, ids: bool) -> Sequence[str]:
        """What of events it would show, and records have not: a gap in a text, as it is written.

        Args:
            variables: Those of the patterns.
            ids: Whether records have the ids of events; else nothing of them.
        """


@runtime_checkable
class NamingFields(Protocol):
    """Options of a transform that name fields of records."""

    def unknown(self, fields: Collection[str], variables: Collection[str]) -> Sequence[str]:
        """What they name and records have not. A check warns of it.

        Args:
            fields: The fields that records may have, and the attributes of their key, as `key.room`.
            variables: Those that have events, of the patterns whose records come.
        """


@runtime_checkable
class AddingFields(Protocol):
    """Options of a transform that leaves the names of fields as they are, but for some that it adds."""

    @property
    def added(self) -> Collection[str]:
        """Their names. So a check knows whether there are fields that a transform after it names."""


@runtime_checkable
class MaybeFinalsOnly(Protocol):
    """Settings of a sink that may take only what is final."""

    @property
    def finals_only(self) -> str:
        """The key that lets it; "" if it takes everything."""


# -- codecs ------------------------------------------------------------------------------------------------


@runtime_checkable
class Encoded(Protocol):
    """Options of a codec of text."""

    @property
    def encoding(self) -> str:
        """The encoding of the text, as Python names it."""


@runtime_checkable
class EndingLines(Protocol):
    """Options of a codec of lines that can tell the end of one by its text."""

    def whole(self, line: bytes) -> bool:
        """Whether a last line without its line end is complete all the same."""


@runtime_checkable
class VettingFormats(Protocol):
    """Options of a codec that know what is wrong with files they name, or with messages that are lines."""

    def vet(self, root: Path, lines: bool) -> Iterable[tuple[str, Problem]]:
        """What would keep the codec from being made, or from reading anything: each with the option that it
        is about, "" for none. Asked where the modules that the codec requires are installed.

        Args:
            root: The folder that relative paths are below.
            lines: As `Context.lines`.
        """


@runtime_checkable
class Heading(Protocol):
    """Options of a codec whose records say what an event is, and when."""

    @property
    def heads(self) -> Mapping[str, Any]:
        """What stands in the block of a source that does not name it, by `as`, `id`, `time` and the other
        keys that name fields, as it would be written there."""


# -- components of patterns --------------------------------------------------------------------------------


@runtime_checkable
class VettingPlans(Protocol):
    """Options of an engine or a policy that know what it cannot do for a pattern."""

    def vet(self, plan: Plan) -> Iterable[tuple[str, Problem]]:
        """What is wrong or odd with it for a pattern, before it is made for it: each with the option that it
        is about, "" for none. An error says what its constructor would refuse, or do nothing with.

        Args:
            plan: The plan of the pattern, as the component is given it.
        """


# -- lateness policies -------------------------------------------------------------------------------------


@runtime_checkable
class MaybeBounded(Protocol):
    """Options of a lateness policy that may have a horizon."""

    @property
    def bounded(self) -> bool:
        """Whether it has."""


# -- result policies ---------------------------------------------------------------------------------------


@runtime_checkable
class Emitting(Protocol):
    """Options of a result policy that say when a match goes out."""

    @property
    def emit(self) -> str:
        """One of `limecep.contracts.results.Emit`."""


@runtime_checkable
class TellingFinals(Protocol):
    """Options of a result policy that may tell of matches that nothing can change any more."""

    @property
    def final(self) -> bool:
        """Whether it does."""


@runtime_checkable
class NeedingHorizon(Protocol):
    """Options of a result policy that may ask for what is final without saying when that is."""

    @property
    def needs_horizon(self) -> str:
        """The option that asks; "" if none does, or the policy has a horizon of its own."""


@runtime_checkable
class WithHorizon(Protocol):
    """Options of a result policy that may have a horizon."""

    @property
    def horizon(self) -> int | None:
        """That of the policy, in microseconds (`limecep.contracts.results.ResultPolicy.horizon`)."""


@runtime_checkable
class AcrossKeys(Protocol):
    """Options of a result policy that may decide across the keys of PARTITION BY."""

    @property
    def across_keys(self) -> bool:
        """Whether it does (`limecep.contracts.results.ResultPolicy.across_keys`). The pattern is then not
        divided among processes, and the check of a pipeline that would do so says it."""


@runtime_checkable
class Skipping(Protocol):
    """Options of a result policy that may have a skip strategy."""

    @property
    def skip(self) -> str:
        """The strategy as text, such as `past-last`; `none` for none."""


# -- transforms --------------------------------------------------------------------------------------------


@runtime_checkable
class Hiding(Protocol):
    """Options of a transform that hides attributes of events."""

    @property
    def hidden(self) -> Collection[str]:
        """Their names. A check warns of values that are computed of them and go out all the same."""


# -- runners -----------------------------------------------------------------------------------------------


@runtime_checkable
class VettingPipelines(Protocol):
    """Options of a runner that know what it cannot do."""

    def vet(self, config: PipelineConfig) -> Iterable[tuple[tuple[str, ...], Problem]]:
        """What of a pipeline the runner cannot do, or does otherwise: each with the keys that lead to what it
        is about in the pipeline's file, such as `("sources", "gas")`. Nothing is opened."""


#: What options and settings may say, by the kind of component.
OPTIONAL: dict[Kind, tuple[type, ...]] = {
    "source": (VettingChannels, InFolder, ReadingSeveral, MaybeLive),
    "sink": (VettingChannels, InFolder, NamingPath, MaybeFinalsOnly),
    "codec": (Encoded, EndingLines, Heading, VettingFormats),
    "engine": (VettingPlans,),
    "lateness": (VettingPlans, MaybeBounded),
    "slack": (VettingPlans,),
    "recompute": (VettingPlans,),
    "table": (VettingChannels, InFolder),
    "results": (VettingPlans, Emitting, TellingFinals, NeedingHorizon, WithHorizon, AcrossKeys, Skipping),
    "runner": (VettingPipelines,),
    "transform": (Hiding, ShowingEvents, ShowingValues, NamingFields, AddingFields),
}
