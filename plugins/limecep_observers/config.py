"""Options of the observers."""

from __future__ import annotations

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
class SystemdOptions:
    """None: systemd says what it wants by the environment of the service."""
