"""What sources brought and no pattern saw."""

from __future__ import annotations

import pytest

from limecep.diagnosis.evidence import Evidence, SourceSeen
from limecep.diagnosis.origins import lost, odd_times, silent

DAY = 86_400_000_000


def said(types: list[str], *sources: SourceSeen) -> list[str]:
    return [p.message for p in lost(types, Evidence(seen={}, sources=sources))]


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ({"duplicate": 9, "in_order": 1}, "9 of 10 events of source 's' were copies of others, by their id"),
        (
            {"future": 10},
            "all 10 events of source 's' were further ahead of their arrival than max_future_skew",
        ),
        (
            {"extremely_late": 8, "in_order": 2},
            "8 of 10 events of source 's' were extremely late for every pattern",
        ),
        ({"invalid": 7, "in_order": 3}, "7 of 10 events of source 's' were invalid"),
    ],
)
def test_most_of_a_source_gone_one_way_is_told(outcomes: dict[str, int], message: str) -> None:
    assert said(["A"], SourceSeen(name="s", outcomes=outcomes)) == [message]


def test_a_few_are_not_worth_a_word() -> None:
    assert said(["A"], SourceSeen(name="s", outcomes={"duplicate": 4, "in_order": 6})) == []
    assert said(["A"], SourceSeen(name="s")) == []


def test_sources_of_other_types_are_not_to_blame() -> None:
    other = SourceSeen(name="s", types=frozenset({"B"}), outcomes={"future": 10})
    assert said(["A"], other) == []
    assert silent(["A"], Evidence(seen={}, sources=[other])) == ""


def test_a_source_that_brought_nothing_usable_is_why_a_type_never_came() -> None:
    empty = SourceSeen(name="s", channel="s.csv", types=frozenset({"A"}))
    spoilt = SourceSeen(name="t", outcomes={"invalid": 3})
    assert silent(["A"], Evidence(seen={}, sources=[empty])) == "nothing was read from source 's' (s.csv)"
    assert silent(["A"], Evidence(seen={}, sources=[empty, spoilt])) == (
        "nothing was read from source 's' (s.csv) and all 3 records of source 't' are invalid"
    )
    alone = SourceSeen(name="t", outcomes={"invalid": 1})
    assert silent(["A"], Evidence(seen={}, sources=[alone])) == "the only record of source 't' is invalid"
    good = SourceSeen(name="u", outcomes={"in_order": 3})
    assert silent(["A"], Evidence(seen={}, sources=[empty, good])) == ""


@pytest.mark.parametrize(
    ("epoch", "latest", "odd"),
    [
        ("epoch_ms", 20 * DAY, True),
        ("epoch_ms", 20_000 * DAY, False),
        ("", 20 * DAY, False),
        ("epoch_s", None, False),
    ],
)
def test_numbers_that_stand_for_the_first_days_of_1970_are_odd(
    epoch: str, latest: int | None, odd: bool
) -> None:
    seen = SourceSeen(name="s", first=latest, latest=latest, epoch=epoch)
    assert bool(list(odd_times(Evidence(seen={}, sources=[seen])))) is odd


def test_a_plugin_that_gives_another_unit_is_named_and_not_the_configuration() -> None:
    seen = SourceSeen(name="s", first=DAY, latest=DAY, reader="mine")
    (told,) = odd_times(Evidence(seen={}, sources=[seen]))
    assert told.hint == "look at the time format 'mine': it gives whole microseconds since 1970"
