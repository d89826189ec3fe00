"""What detection refuses becomes records of the late output, which say where the events stood."""

from __future__ import annotations

from limecep.embedding.pipelines import Refusal
from limecep.testing.streams import written
from limecep_spark_runner.refusals import Refusals


def test_a_record_says_where_its_event_stood() -> None:
    first, second = written("a1 b2")
    refusals = Refusals()
    refusals.reading([first, second], ["f:1", "f:2"])
    refusals.take(Refusal(reason="extremely_late", event=second, patterns=("p",)))
    [record] = refusals.records
    assert (record["reason"], record["position"], record["patterns"]) == ("extremely_late", "f:2", ["p"])
    assert record["event"]["id"] == "b2"


def test_of_an_event_that_was_fed_before_it_is_not_known_any_more() -> None:
    first, second = written("a1 b2")
    refusals = Refusals()
    refusals.reading([first], ["f:1"])
    refusals.reading([second], ["f:2"])
    refusals.take(Refusal(reason="evicted", event=first))
    assert [record["position"] for record in refusals.records] == [""]
