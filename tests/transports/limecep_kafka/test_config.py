"""What can be wrong with the options is said before anything is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load
from limecep.host import Host
from limecep_kafka.config import (
    KafkaOptions,
    KafkaSettings,
    KafkaSinkOptions,
    KafkaSinkSettings,
    channel_problem,
    topic_problem,
)
from limecep_kafka.topics import matcher, partition_of

if TYPE_CHECKING:
    from limecep.config.loader import Loaded

PIPELINE = """\
version: 1
name: kitchen
connectors:
  broker: {type: kafka, brokers: "h:9092,i:9093", group: g, start: earliest,
           client: {security.protocol: SASL_SSL, sasl.password: "${file:password}", check.crcs: true}}
sources:
  gas: {from: broker, channel: home.gas, as: GasLeak, time: ts, id: id, dead_letter: home.bad}
patterns:
  fire: {query: "PATTERN SEQ(GasLeak a, GasLeak b) WITHIN 30 s"}
sinks:
  alerts: {to: broker, channel: "limecep.{pattern}", mode: upsert, envelope: cloudevents}
"""


def check(folder: Path, text: str) -> Loaded:
    (folder / "password").write_text("secret\n")
    path = folder / "pipeline.yaml"
    path.write_text(text)
    return load(path, Host.load().registry, environment={})


def test_a_connector_may_serve_sources_and_sinks_with_its_secrets_in_files(tmp_path: Path) -> None:
    loaded = check(tmp_path, PIPELINE)
    assert [str(p) for p in loaded.problems] == []
    assert loaded.config is not None
    [source], [sink] = loaded.config.sources, loaded.config.sinks
    options: Any = source.connector.options
    assert (options.brokers, options.group, options.start) == ("h:9092,i:9093", "g", "earliest")
    assert options.client == {
        "security.protocol": "SASL_SSL",
        "sasl.password": "secret",
        "check.crcs": True,
    }
    assert sink.connector.options.client == options.client
    assert (source.settings.dead_letter, sink.settings.mode) == ("home.bad", "upsert")
    assert source.live
    assert (source.max_future_skew, source.idle_after) == (300_000_000, 30_000_000)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("h:9092,i:9093", "h:9092,", "'brokers' must be HOST:PORT, more than one with commas, not ''"),
        ("h:9092,i:9093", "h:port", "'brokers' must be HOST:PORT, more than one with commas, not 'h:port'"),
        ("start: earliest", "start: first", "'start' must be latest, earliest, or a time such as"),
        ("start: earliest", "start: 2026-01-05T10:00:00", "'start' must be latest, earliest, or a time"),
        ("security.protocol:", "group.id:", "'client' cannot set group.id: limecep does"),
        ("channel: home.gas", "channel: home/gas", "'home/gas' is no name of a topic"),
        ("channel: home.gas", "channel: '^home['", "'^home[' is no regular expression: unterminated"),
        ('"limecep.{pattern}"', '"limecep/{pattern}"', "is no name of a topic"),
        ('"limecep.{pattern}"', '"limecep.{name}"', "'{name}' cannot be filled in"),
        ("home.bad", "home/bad", "'dead_letter': 'home/bad' is no name of a topic"),
        ("home.bad", "home.gas", "the topic 'home.gas' for dead letters is read by this source"),
        ("channel: home.gas", "channel: '^home[.]'", "the topic 'home.bad' for dead letters is read by this"),
        ("mode: upsert", "mode: update", "'mode' must be one of changelog, upsert, final"),
        ("envelope: cloudevents", "envelope: csv", "the codec 'csv' makes no envelopes"),
        ("envelope: cloudevents", "envelope: {type: cloudevents, attributes: a.b}", "'attributes' must be"),
        ('brokers: "h:9092,i:9093", ', "", "connector 'broker' needs 'brokers'"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in PIPELINE
    loaded = check(tmp_path, PIPELINE.replace(old, new))
    assert loaded.config is None
    assert any(said in p.message for p in loaded.problems), loaded.problems
    assert all(p.place is not None and p.place.line for p in loaded.problems)


@pytest.mark.parametrize(
    ("results", "of", "warned"),
    [
        ("{emit: eager}", "updates", True),
        ("{emit: final, horizon: 10m}", "updates", False),
        ("{final: true, horizon: 10m}", "updates", False),
        ("{emit: eager}", "late", False),
    ],
)
def test_a_sink_for_what_is_final_is_warned_of_where_nothing_is(
    tmp_path: Path, results: str, of: str, warned: bool
) -> None:
    text = PIPELINE.replace('WITHIN 30 s"', f'WITHIN 30 s", results: {results}')
    text = text.replace("mode: upsert", f"mode: final, of: {of}").replace("limecep.{pattern}", "limecep.out")
    loaded = check(tmp_path, text)
    assert loaded.config is not None
    assert ["takes only what is final" in p.message for p in loaded.problems] == [True] * warned


def test_the_pipeline_of_the_readme_is_fine(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[3] / "transports/limecep_kafka/README.md").read_text()
    text = readme.partition("```yaml\n")[2].partition("```")[0]
    assert "type: kafka" in text
    assert check(tmp_path, text).problems == []


def test_many_topics_without_identity_are_warned_of(tmp_path: Path) -> None:
    text = PIPELINE.replace("home.gas", "'^home[.]g.*'").replace(", id: id", "")
    assert [p.code for p in check(tmp_path, text).problems] == ["no-identity"]


@pytest.mark.parametrize(
    ("start", "since"),
    [
        ("latest", None),
        ("earliest", None),
        ("1970-01-01T00:00:01Z", 1_000_000),
        ("1970-01-01T01:00:00.5+01:00", 500_000),
    ],
)
def test_a_start_may_be_a_time(start: str, since: int | None) -> None:
    assert KafkaOptions(brokers="h:1", start=start).since == since


@pytest.mark.parametrize("brokers", ["h", "h:1", "h:1, i:2", "[::1]:9092"])
def test_brokers_are_hosts_with_or_without_a_port(brokers: str) -> None:
    assert KafkaSinkOptions(brokers=brokers).brokers == brokers


@pytest.mark.parametrize("name", ["a", "a.b_c-1", "x" * 249])
def test_names_of_topics_are_those_that_brokers_take(name: str) -> None:
    assert topic_problem(name) == channel_problem(name) == ""


@pytest.mark.parametrize("name", ["", "a/b", "a b", ".", "..", "x" * 250, "ä", "a,b"])
def test_other_names_are_refused(name: str) -> None:
    assert "is no name of a topic" in topic_problem(name)


def test_a_channel_may_be_a_regular_expression() -> None:
    assert channel_problem("^home[.].*[.]gas$") == ""
    assert "is no regular expression" in channel_problem("^home[")
    takes = matcher("^home[.][^.]+[.]gas$")
    assert [takes(t) for t in ("home.k1.gas", "home.k1.gas2", "home.gas", "x.home.k1.gas")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert [matcher("home.gas")(t) for t in ("home.gas", "homexgas")] == [True, False]


def test_a_position_is_a_topic_a_partition_and_an_offset() -> None:
    assert partition_of("home.gas:2:1049") == (("home.gas", 2), 1049)


@pytest.mark.parametrize(
    ("channel", "sink", "there"),
    [
        ("home.gas", "home.gas", True),
        ("^home[.]", "home.{pattern}", True),
        ("^home[.]", "limecep.gas", False),
    ],
)
def test_a_sink_whose_topic_a_source_reads_is_warned_of(
    channel: str, sink: str, there: bool, tmp_path: Path
) -> None:
    text = PIPELINE.replace("channel: home.gas", f'channel: "{channel}"').replace("limecep.{pattern}", sink)
    text = text.replace(", dead_letter: home.bad", "")
    assert ("echo" in [p.code for p in check(tmp_path, text).problems]) == there


def test_a_record_may_take_a_second_or_more_to_be_accepted() -> None:
    assert KafkaSinkOptions(brokers="h:1", delivery_timeout=1_000_000).delivery_timeout == 1_000_000
    with pytest.raises(ValueError, match="'delivery_timeout' must be at least 1s"):
        KafkaSinkOptions(brokers="h:1", delivery_timeout=999_999)


@pytest.mark.parametrize("brokers", ["", "h:", ":1", "h:²", "h,", "h:1,:2"])
def test_other_brokers_are_refused(brokers: str) -> None:
    with pytest.raises(ValueError, match="'brokers' must be HOST:PORT, more than one with commas, not"):
        KafkaOptions(brokers=brokers)


@pytest.mark.parametrize("make", [KafkaOptions, KafkaSinkOptions])
def test_what_is_decided_here_cannot_be_set(make: Any) -> None:
    with pytest.raises(ValueError, match=r"'client' cannot set group\.id: limecep does"):
        make(brokers="h:1", client={"group.id": "g"})


def test_a_connector_says_which_topics_a_channel_means() -> None:
    options = KafkaOptions(brokers="h:1")
    assert options.reads("^home[.]", "home.gas")
    assert not options.reads("home", "home.gas")
    assert options.vet("home.gas") == []
    [problem] = options.vet("home/gas")
    assert (problem.code, problem.hint) == ("bad-channel", "")


def test_only_a_topic_for_bad_messages_that_feeds_itself_is_a_problem() -> None:
    assert KafkaSettings().vet("home.gas") == []
    assert KafkaSettings(dead_letter="home.bad").vet("home.gas") == []
    # That is a problem of the channel.
    assert KafkaSettings(dead_letter="home.bad").vet("^home[") == []
    [problem] = KafkaSettings(dead_letter="home.gas").vet("home.gas")
    assert problem.hint == "give 'dead_letter' a name that the channel does not have"


@pytest.mark.parametrize(("mode", "key"), [("changelog", ""), ("upsert", ""), ("final", "mode")])
def test_a_sink_says_which_key_lets_it_take_only_what_is_final(mode: Any, key: str) -> None:
    assert KafkaSinkSettings(mode=mode).finals_only == key
