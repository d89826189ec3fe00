"""What `limecep check` says of MQTT, without any broker."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep_mqtt.config import MqttOptions, MqttSinkOptions

REGISTRY = Host.load().registry


def document(
    connector: dict[str, Any] | None = None, channel: str = "home/gas", **more: Any
) -> dict[str, Any]:
    return {
        "version": 1,
        "name": "kitchen",
        "connectors": {
            "broker": {"type": "mqtt", "url": "mqtt://localhost", "client_id": "k", **(connector or {})}
        },
        "sources": {"gas": {"from": "broker", "channel": channel, "as": "Gas", "time": "ts", "id": "id"}},
        "patterns": {"p": {"query": "PATTERN SEQ(Gas g) WITHIN 1 second"}},
        **more,
    }


def said(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(p.severity, p.code, p.message) for p in load_dict(document, REGISTRY, environment={}).problems]


@pytest.mark.parametrize(
    "connector",
    [
        {},
        {"version": "3.1.1"},
        {"version": "5", "keepalive": "10s", "window": 20, "session_expiry": "1 day", "retained": "keep"},
        {"url": "mqtts://h:8883", "tls_ca": __file__, "tls_certificate": __file__, "tls_key": __file__},
        {"url": "mqtts://h", "tls_certificate": __file__, "tls_key": __file__, "tls_key_password": "p"},
        {"user": "u", "password": "p", "on_unavailable": "fail", "retry_max": "5s"},
    ],
)
def test_a_connector_may_be(connector: dict[str, Any]) -> None:
    assert said(document(connector)) == []


def test_certificates_that_are_not_there_are_told() -> None:
    (found,) = said(document({"url": "mqtts://h", "tls_ca": "nowhere.pem"}))
    assert found == ("warning", "missing-file", "'tls_ca' names a file that is not there: nowhere.pem")


@pytest.mark.parametrize(
    ("connector", "about"),
    [
        ({"url": "http://localhost"}, "'url'"),
        ({"version": 4}, "'version'"),
        ({"tls_key_password": "p"}, "'tls_key_password'"),
        ({"qos": 3}, "'qos'"),
        ({"window": 0}, "'window'"),
        ({"keepalive": "0s"}, "'keepalive'"),
        ({"retry_max": "1ms"}, "'retry_max'"),
        ({"tls_ca": "ca.pem"}, "'url'"),
        ({"url": "mqtts://h", "tls_key": "k"}, "'tls_key'"),
        ({"password": "p"}, "'password'"),
        ({"url": "mqtt://u:p@h", "user": "v"}, "'user'"),
        ({"retained": "maybe"}, "'retained'"),
        ({"on_unavailable": "wait"}, "'on_unavailable'"),
    ],
)
def test_a_connector_may_not_be(connector: dict[str, Any], about: str) -> None:
    (found,) = said(document(connector))
    assert found[0] == "error"
    assert about in found[2]


@pytest.mark.parametrize(
    ("connector", "channel", "message"),
    [
        (
            {"client_id": ""},
            "home/gas",
            "without 'client_id' what is published while the pipeline is away is lost",
        ),
        ({"qos": 0}, "home/gas", "with 'qos: 0' messages may be lost"),
        ({"qos": 2}, "home/gas", "with 'qos: 2' a crash loses messages that were received"),
        ({}, "$share/g/home/gas", "'$share/g/home/gas' is a shared subscription"),
    ],
)
def test_what_may_lose_messages_is_warned_of(connector: dict[str, Any], channel: str, message: str) -> None:
    (found,) = said(document(connector, channel))
    assert found[:2] == ("warning", "delivery")
    assert message in found[2]


def test_wildcards_without_identity_are_warned_of() -> None:
    odd = document(channel="home/+/gas")
    assert said(odd) == []
    del odd["sources"]["gas"]["id"]
    assert [found[1] for found in said(odd)] == ["no-identity"]
    odd["sources"]["gas"]["key"] = "$topic[1]"
    assert said(odd) == []


def test_a_wrong_filter_is_found() -> None:
    (found,) = said(document(channel="home/#/gas"))
    assert found[:2] == ("error", "bad-channel")
    assert "'home/#/gas' is no topic filter" in found[2]


@pytest.mark.parametrize(
    ("channel", "error"),
    [
        ("limecep/{pattern}/{key.room}", None),
        ("limecep/{patern}", "'{patern}' cannot be filled in"),
        ("limecep/{pattern", "'{' without"),
        ("limecep/#", "no wildcards"),
    ],
)
def test_topics_of_sinks_are_looked_at(channel: str, error: str | None) -> None:
    sinks = {"out": {"to": "broker", "channel": channel, "retain": True}}
    patterns = {"p": {"query": "PATTERN SEQ(Gas g) WITHIN 1 second PARTITION BY room"}}
    found = said(document(sinks=sinks, patterns=patterns))
    if error is None:
        assert found == []
    else:
        assert [f[:2] for f in found] == [("error", "bad-channel")]
        assert error in found[0][2]


def test_a_version_in_which_no_record_can_be_refused_is_told() -> None:
    sinks = {"sinks": {"out": {"to": "broker", "channel": "alerts"}}}
    (found,) = said(document({"version": "3.1.1"}, **sinks))
    assert found[:2] == ("warning", "delivery")
    assert "cannot say that it refuses a record" in found[2]


def test_the_status_topic_is_looked_at() -> None:
    more = {"sinks": {"out": {"to": "broker", "channel": "limecep/{pattern}"}}}
    assert said(document({"status": "limecep/kitchen"}, **more)) == []
    (found,) = said(document({"status": "limecep/#"}, **more))
    assert "'status'" in found[2]


def test_a_sink_needs_a_topic() -> None:
    (found,) = said(document(sinks={"out": {"to": "broker"}}))
    assert found[:2] == ("error", "missing-key")


@pytest.mark.parametrize(
    ("channel", "sink", "there"),
    [
        ("home/#", "home/alerts/{pattern}", True),
        ("$share/g/home/+", "home/alerts", True),
        ("home/+/gas", "home/alerts", False),
    ],
)
def test_a_sink_below_the_filter_of_a_source_is_warned_of(channel: str, sink: str, there: bool) -> None:
    found = said(document(channel=channel, sinks={"out": {"to": "broker", "channel": sink}}))
    assert ("echo" in [code for _, code, _ in found]) == there


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [("keepalive", 1_000_000, 65_535_000_000), ("window", 1, 65_535), ("retry_max", 500_000, None)],
)
def test_numbers_have_bounds_that_they_may_reach(key: str, least: int, most: int | None) -> None:
    for value in (least, most or 10**12):
        assert getattr(broker(**{key: value}), key) == value
    for value in (least - 1, *([] if most is None else [most + 1])):
        with pytest.raises(ValueError, match=f"'{key}' must be"):
            broker(**{key: value})


def broker(**options: Any) -> MqttOptions:
    return MqttOptions(**{"url": "mqtt://h", **options})


@pytest.mark.parametrize(
    "options",
    [
        {"url": "mqtt://u@h"},
        {"url": "mqtt://u:p@h"},
        {"url": "mqtts://h", "tls_ca": "ca.pem"},
        {"user": "u"},
    ],
)
def test_a_part_of_what_belongs_together_may_be_enough(options: dict[str, Any]) -> None:
    assert broker(**options).address.host == "h"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tls_certificate": "c", "tls_key": "k"}, "'url' must be mqtts:// where there are certificates"),
        ({"tls_key": "k"}, "'url' must be mqtts://"),
        ({"url": "mqtts://h", "tls_certificate": "c"}, "'tls_key' and 'tls_certificate' belong together"),
        ({"url": "mqtt://u@h", "password": "p"}, "'user' stands in the url already"),
        ({"url": "mqtt://u@h", "user": "u"}, "'user' stands in the url already"),
        ({"password": "p"}, "'password' needs a 'user'"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        broker(**options)


def test_the_broker_keeps_the_session_of_who_has_a_name() -> None:
    assert broker(client_id="k").persistent is True
    assert broker().persistent is False


def test_a_connector_says_which_topics_a_filter_names() -> None:
    assert broker().reads("home/+", "home/gas") is True
    assert broker().reads("home/+", "gas") is False


@pytest.mark.parametrize(
    ("channel", "options", "hints"),
    [
        ("a/#/b", {"qos": 0}, [""]),
        ("a", {"client_id": "k"}, []),
        ("a", {"qos": 0}, ["qos: 1 loses nothing"]),
        ("a", {}, ["give it a client_id of its own: the broker then keeps messages for it"]),
        ("a", {"client_id": "k", "qos": 2}, ["qos: 1 loses nothing; copies are dropped by their id"]),
        (
            "$share/g/a",
            {"qos": 0},
            ["leave $share out: one pipeline reads all of its input", "qos: 1 loses nothing"],
        ),
    ],
)
def test_what_may_be_done_about_it_is_said(channel: str, options: dict[str, Any], hints: list[str]) -> None:
    assert [problem.hint for problem in broker(**options).vet(channel)] == hints


def test_a_sink_checks_how_the_broker_is_reached_and_its_topics() -> None:
    with pytest.raises(ValueError, match="'window'"):
        MqttSinkOptions(url="mqtt://h", window=0)
    assert MqttSinkOptions(url="mqtt://h").vet("a/{pattern}") == []
    [problem] = MqttSinkOptions(url="mqtt://h").vet("a/#")
    assert problem.message.startswith("'a/#' is no topic: ")
