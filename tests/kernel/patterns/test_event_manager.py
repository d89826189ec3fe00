"""The event manager: which end events are looked at again when something comes late."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep import Event, Pipeline
from limecep.state.json_values import decode, encode
from limecep.testing.changelog import net
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from limecep.registry import Registry
    from limecep.testing.oracle import Assignment


def events(*words: str) -> list[Event]:
    """Events such as `b5x`, a B at 5 s; each arrives a millisecond after the one before."""
    return [
        Event(word[0].upper(), word, int(word[1]) * SECOND, 1000 * number)
        for number, word in enumerate(words)
    ]


def found(installed: Registry, query: str, *words: str) -> set[Assignment]:
    """The matches that are live at the end, where late events are waited for."""
    pattern = {"query": f"PATTERN {query} WITHIN 10 s", "select": "stam", "lateness": "accept"}
    pattern |= {"slack": {"type": "fixed", "wait": "1s"}}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": {"p": pattern}}, registry=installed)
    updates = pipeline.feed(events(*words)) + pipeline.finish()
    return net(updates, "p")


def test_an_end_event_that_comes_at_the_latest_time_while_others_wait_is_looked_at_too(
    installed: Registry,
) -> None:
    query = "SEQ(A+ a[], B b)"
    in_order = found(installed, query, "a1", "a2", "a3", "b5", "b5x")
    assert found(installed, query, "a1", "b5", "a3", "b5x", "a2") == in_order


class UpToNow:
    """A recompute policy that looks at all that came since."""

    def reach(self, event: Event, lta: int) -> tuple[int, int]:
        return event.t_gen, lta


def test_a_recompute_policy_is_given_the_latest_time(begin: Any) -> None:
    life = begin("SEQ(A a, B b) WITHIN 10 s")
    life.feed("a1 b5")
    life.manager._policies = replace(life.manager._policies, recompute=UpToNow())
    assert life.manager.touches(Event("B", "b3", 3 * SECOND)) == (3 * SECOND, 5 * SECOND)


def test_what_comes_at_the_latest_time_is_evaluated_wherever_matches_are_known(begin: Any) -> None:
    life = begin("SEQ(A a, B b) WITHIN 10 s")
    life.feed("a1 b5")
    life.manager.sound_from = 9 * SECOND
    assert life.manager._is_sound_end(Event("B", "x", 5 * SECOND))
    assert not life.manager._is_sound_end(Event("B", "x", 5 * SECOND - 1))


def test_it_goes_on_after_a_stop_with_all_it_knew(begin: Any) -> None:
    def started() -> Any:
        lateness, slack = {"type": "quantile", "warm_up": 2}, {"type": "fixed", "wait": "1s"}
        return begin("SEQ(A a, B b) WITHIN 10 s", lateness=lateness, slack=slack)

    life, known = started(), []
    life.feed("a1 b5 a3 a8")
    life.manager.refused, life.manager.sound_from, life.manager._closed = 1, 2 * SECOND, 3 * SECOND
    for manager in (life.manager, life.restarted().manager, started().manager):
        known.append(decode(encode(manager.snapshot())))
    for part in ("refused", "slack_waits", "latest_accepted", "sound_from", "closed", "policies", "results"):
        before, after, fresh = (snapshot[part] for snapshot in known)
        assert after == before != fresh, part
