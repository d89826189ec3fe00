"""A pattern on a few events, and what is asked of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.embedding.pipelines import Host, compile_plan, load_dict
from limecep.testing.streams import SECOND, written
from limecep_why_not.candidates import Region
from limecep_why_not.changes import Stream, identity
from limecep_why_not.search import Search
from limecep_why_not.trials import Trials

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.plan.plan import Plan
    from limecep_why_not.changes import Refused


class House:
    """A pattern, and what evaluates it."""

    def __init__(self, query: str, **options: Any) -> None:
        document = {
            "version": 1,
            "patterns": {"p": {"query": f"PATTERN {query}", **options}},
            "sinks": {"o": {"type": "none"}},
        }
        loaded = load_dict(document, Host.load().registry)
        config = loaded.checked()
        [self.pattern] = config.patterns
        self.plan: Plan = compile_plan(self.pattern.pattern, name="p", select=self.pattern.select)
        self.trials = Trials(config, loaded.registry, self.pattern, structlog.get_logger())

    def search(
        self,
        text: str,
        at: int,
        *,
        refused: Sequence[Refused] = (),
        required: Sequence[str] = (),
        limit: int = 3,
    ) -> Search:
        """A search near a time, in seconds; `required` are ids of events."""
        late = {r.event.id for r in refused}
        events = [e for e in written(text) if e.id not in late]
        within = self.plan.within
        everything = [*events, *(r.event for r in refused)]
        return Search(
            plan=self.plan,
            stream=Stream(events, refused),
            region=Region(time=at * SECOND, radius=within, within=within),
            trials=self.trials,
            required={identity(e) for e in everything if e.id in required},
            limit=limit,
        )


@pytest.fixture
def house() -> Callable[..., House]:
    return House
