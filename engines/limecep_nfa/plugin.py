"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl


@hookimpl
def limecep_engines() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="engine",
            name="nfa",
            factory="limecep_nfa.engine:NfaEngine",
            summary="All matches, by an automaton with runs (STNM, STAM, SC).",
            example="engine: nfa",
            capabilities=frozenset({"stnm", "stam", "sc", "all", "picks"}),
        )
    ]
