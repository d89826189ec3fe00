"""What this distribution brings."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import ComponentSpec, hookimpl, option

limecep_api = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Most:
    """Options of the policies."""

    most: int = option(2_000_000, help="How late an event may be, or how long is waited.", unit="duration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Options of the sink."""

    path: str = option(help="The file.", example="out.txt")


def spec(kind: str, factory: str, **more: object) -> ComponentSpec:
    """A component of this distribution."""
    return ComponentSpec(
        kind=kind,  # type: ignore[arg-type]
        name="first",
        factory=f"limecep_first.components:{factory}",
        summary="Of the first contract",
        distribution="limecep-first",
        contract=1,
        **more,  # type: ignore[arg-type]
    )


@hookimpl
def limecep_codecs() -> list[ComponentSpec]:
    return [spec("codec", "Words")]


@hookimpl
def limecep_lateness_policies() -> list[ComponentSpec]:
    return [spec("lateness", "Late", options=Most)]


@hookimpl
def limecep_slack_policies() -> list[ComponentSpec]:
    return [spec("slack", "Slack", options=Most)]


@hookimpl
def limecep_transforms() -> list[ComponentSpec]:
    return [spec("transform", "Shout")]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [spec("sink", "Lines", options=Where)]
