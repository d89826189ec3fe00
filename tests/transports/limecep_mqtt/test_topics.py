"""Topics and topic filters."""

from __future__ import annotations

import pytest

from limecep_mqtt.topics import escaped, filter_problem, is_shared, matcher, topic_of, topic_problem


@pytest.mark.parametrize(
    ("filter", "topic", "expected"),
    [
        ("home/gas", "home/gas", True),
        ("home/gas", "home/gas/1", False),
        ("home/+/gas", "home/k1/gas", True),
        ("home/+/gas", "home//gas", True),
        ("home/+/gas", "home/k1/x/gas", False),
        ("home/+", "home", False),
        ("home/#", "home/k1/gas", True),
        ("home/#", "home", True),
        ("home/#", "homes", False),
        ("+/+", "/gas", True),
        ("#", "home/gas", True),
        ("#", "$SYS/uptime", False),
        ("+/uptime", "$SYS/uptime", False),
        ("$SYS/#", "$SYS/uptime", True),
        ("a.b/+", "axb/c", False),
        ("a/#", "a/b\nc", True),
        ("$share/g/home/#", "home/k1", True),
        ("$share/g/home/#", "g/home/k1", False),
    ],
)
def test_a_filter_names_topics(filter: str, topic: str, expected: bool) -> None:
    assert matcher(filter)(topic) is expected


@pytest.mark.parametrize("filter", ["a", "/", "+", "#", "a/+/b", "+/a/#", "$SYS/#", "ä/€", "$share/g/a/#"])
def test_a_filter_may_be(filter: str) -> None:
    assert filter_problem(filter) == ""


@pytest.mark.parametrize(
    ("filter", "said"),
    [
        ("", "not empty"),
        ("a/#/b", "'#'"),
        ("a#", "'#'"),
        ("a/b#", "'#'"),
        ("a+/b", "'+'"),
        ("a\0", "NUL"),
        ("ä" * 40_000, "bytes"),
        ("$share/g", "$share/GROUP/FILTER"),
        ("$share//a", "$share/GROUP/FILTER"),
        ("$share/g+/a", "$share/GROUP/FILTER"),
        ("$share/g/", "$share/GROUP/FILTER"),
        ("$share/g/a#", "'#'"),
    ],
)
def test_a_filter_may_not_be(filter: str, said: str) -> None:
    assert said in filter_problem(filter)


def test_shared_subscriptions_are_known() -> None:
    assert is_shared("$share/g/a")
    assert not is_shared("share/g/a")


@pytest.mark.parametrize(("topic", "said"), [("a/+", "wildcards"), ("#", "wildcards"), ("", "not empty")])
def test_what_is_published_to_is_one_topic(topic: str, said: str) -> None:
    assert said in topic_problem(topic)
    assert topic_problem("a/b") == ""


def test_values_are_one_level_and_stay_different() -> None:
    values = ["a", "a/b", "a%2Fb", "+", "#", "\0", ""]
    levels = [escaped(v) for v in values]
    assert len(set(levels)) == len(values)
    assert not any(set(level) & set("/+#\0") for level in levels)


def test_a_topic_has_as_many_bytes_as_it_may() -> None:
    assert topic_problem("ä" * 32_767 + "a") == ""
    assert topic_problem("ä" * 32_768) == "a topic has at most 65,535 bytes"
    # What is no UTF-8 has bytes all the same.
    assert topic_problem("\ud800") == ""


def test_what_a_level_may_not_have_is_written_as_its_code() -> None:
    assert escaped("a/b+c#d%\0") == "a%2Fb%2Bc%23d%25%00"


@pytest.mark.parametrize(
    ("filter", "shared", "topics"),
    [("$share/g/a/b", True, "a/b"), ("$share/g", False, "$share/g"), ("a/b/c", False, "a/b/c")],
)
def test_a_shared_subscription_names_the_topics_behind_its_group(
    filter: str, shared: bool, topics: str
) -> None:
    assert is_shared(filter) is shared
    assert topic_of(filter) == topics
