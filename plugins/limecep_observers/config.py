"""Options of the observers."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - looked up at run time
from dataclasses import dataclass

from limecep import option

_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class PrometheusOptions:
    """Where it listens, and what it calls ready."""

    host: str = option(
        "127.0.0.1",
        help="The address it listens at. Whoever reaches it reads the figures, without a password: '0.0.0.0' "
        "is for networks that are trusted.",
    )
    port: int = option(9464, help="The port it listens at; 0 for any that is free, which is logged.")
    stuck_after: int = option(
        30_000_000,
        unit="duration",
        help="After so long without a sign of life the pipeline is not alive: a component hangs.",
    )
    commit_within: int = option(
        30_000_000,
        unit="duration",
        help="A pipeline is not ready whose last commit is older, if it is live or has a state.",
    )
    missed: int = option(
        3,
        help="A pipeline is not ready while a source is silent for longer than so many of the periods that "
        "it declares (`every`).",
    )

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _LAST_PORT:
            raise ValueError(f"'port' must be from 0 to {_LAST_PORT}")
        for name in ("stuck_after", "commit_within", "missed"):
            if getattr(self, name) < 1:
                raise ValueError(f"'{name}' must be more than 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectorOptions:
    """How a collector of OpenTelemetry is reached."""

    endpoint: str = option(
        "http://127.0.0.1:4318",
        help="The collector's address; metrics go to its path /v1/metrics, traces to /v1/traces.",
    )
    timeout: int = option(5_000_000, unit="duration", help="How long the collector may take to answer.")
    service: str = option("limecep", help="The name of the service, as service.name.")
    headers: Mapping[str, str] = option(
        {}, help="Headers of the requests.", example={"Authorization": "${file:/run/secrets/token}"}
    )

    def __post_init__(self) -> None:
        if not self.endpoint.startswith(("http://", "https://")):
            raise ValueError("'endpoint' must begin with http:// or https://")
        if self.timeout < 1:
            raise ValueError("'timeout' must be more than 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtlpOptions(CollectorOptions):
    """Where metrics are sent, and how often."""

    every: int = option(10_000_000, unit="duration", help="How often they are sent.")

    def __post_init__(self) -> None:
        CollectorOptions.__post_init__(self)
        if self.every < 1:
            raise ValueError("'every' must be more than 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtlpTracesOptions(CollectorOptions):
    """Where traces are sent, and how long a collector is waited for that is away."""

    retry_max: int = option(
        30_000_000,
        unit="duration",
        help="The longest wait between two tries; waits grow from half a second.",
    )

    def __post_init__(self) -> None:
        CollectorOptions.__post_init__(self)
        if self.retry_max < 500_000:
            raise ValueError("'retry_max' must be at least 500ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemdOptions:
    """None: systemd says what it wants by the environment of the service."""
