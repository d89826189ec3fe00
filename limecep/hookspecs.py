"""Hooks: how a plugin tells the kernel what it brings. Called once, when a host loads; never per event.

A plugin is a module named by an entry point of the group `limecep`. It imports only `limecep`, so that
listing plugins imports no client library, and marks its hooks with `limecep.hookimpl`:

    from limecep import ComponentSpec, hookimpl

    @hookimpl
    def limecep_engines():
        return [ComponentSpec(kind="engine", name="mine", factory="my_package.engine:Mine", ...)]

There is one hook a kind. Each returns a list of specs of that kind, takes no argument, and may be left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.spec import ComponentSpec

hookspec = pluggy.HookspecMarker("limecep")


@hookspec
def limecep_sources() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Transports that bring messages in (`limecep.contracts.source`)."""


@hookspec
def limecep_sinks() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Transports that take updates out (`limecep.contracts.sink`)."""


@hookspec
def limecep_codecs() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Message formats (`limecep.contracts.codec`)."""


@hookspec
def limecep_time_formats() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """What reads times that are written in a way of their own (`limecep.contracts.time`)."""


@hookspec
def limecep_engines() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Engines (`limecep.contracts.engine`)."""


@hookspec
def limecep_lateness_policies() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Policies that judge late events (`limecep.contracts.lateness`)."""


@hookspec
def limecep_slack_policies() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Policies that hold recomputation back (`limecep.contracts.slack`)."""


@hookspec
def limecep_recompute_policies() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Policies that say how far a late event reaches (`limecep.contracts.recompute`)."""


@hookspec
def limecep_result_policies() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Policies that say which differences go out, and when (`limecep.contracts.results`)."""


@hookspec
def limecep_functions() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """What conditions may call (`limecep.contracts.function`)."""


@hookspec
def limecep_tables() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """What brings rows in which conditions look values up (`limecep.contracts.table`)."""


@hookspec
def limecep_transforms() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """What changes records on their way to a sink (`limecep.contracts.transform`)."""


@hookspec
def limecep_state_stores() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Stores for what must survive a crash (`limecep.contracts.state`)."""


@hookspec
def limecep_observers() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Who is told how a pipeline is doing (`limecep.contracts.observer`)."""


@hookspec
def limecep_runners() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Where a pipeline may be run (`limecep.contracts.runner`)."""


@hookspec
def limecep_commands() -> Sequence[ComponentSpec]:  # type: ignore[empty-body]
    """Sub-commands of `limecep` (`limecep.contracts.command`)."""


#: Which hook brings which kind.
HOOKS: dict[str, str] = {
    "limecep_sources": "source",
    "limecep_sinks": "sink",
    "limecep_codecs": "codec",
    "limecep_time_formats": "time",
    "limecep_engines": "engine",
    "limecep_lateness_policies": "lateness",
    "limecep_slack_policies": "slack",
    "limecep_recompute_policies": "recompute",
    "limecep_result_policies": "results",
    "limecep_functions": "function",
    "limecep_tables": "table",
    "limecep_transforms": "transform",
    "limecep_state_stores": "state",
    "limecep_observers": "observer",
    "limecep_runners": "runner",
    "limecep_commands": "command",
}
