"""What holds while a policy has not seen enough to refuse anything."""

from __future__ import annotations

from limecep.contracts.lateness import Verdict


def warm(verdict: Verdict) -> Verdict:
    """The verdict on an event that is used whatever it scores."""
    if not verdict.extremely_late:
        return verdict
    return Verdict(extremely_late=False, score=verdict.score, threshold=verdict.threshold)
