"""Sources that read files of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.embedding.pipelines import load
from limecep.embedding.placing import placing, placing_data
from limecep.errors import ConfigurationError
from tests.plugins.limecep_test.conftest import LIVE, REGISTRY

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """\
version: 1
connectors: {{broker: {{type: mqtt, url: "mqtt://localhost"}}}}
sources:
  one: {{from: broker, channel: a/b, format: json, as: A, time: t, id: id}}
{more}
patterns: {{p: {{query: "PATTERN SEQ(A a) WITHIN 1 second"}}}}
sinks: {{o: {{type: none}}}}
"""


def test_a_file_takes_the_place_of_a_broker_and_the_rest_of_the_source_stays(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_text(LIVE)
    before = load(file, REGISTRY).checked()
    config = load(file, REGISTRY, placed=placing({"gas": tmp_path / "other.jsonl"})).checked()
    was, gas = before.sources[0], config.sources[0]
    assert was.live
    assert not gas.live
    assert (gas.connector.spec.name, gas.channel) == ("file", str(tmp_path / "other.jsonl"))
    assert (gas.event_type, gas.time, gas.id) == (was.event_type, was.time, was.id)
    assert config.sources[1] == before.sources[1]


def test_without_files_nothing_is_placed() -> None:
    assert placing({}) is None


def placed(folder: Path, given: list[str], more: str = "") -> list[tuple[str, str, tuple[str, ...]]]:
    file = folder / "p.yaml"
    file.write_text(PIPELINE.format(more=more))
    config = load(file, REGISTRY, placed=placing_data(given)).checked()
    return [(s.name, s.connector.spec.name, s.id) for s in config.sources]


def test_a_source_reads_the_file_and_stays_what_it_is(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text("")
    for given in (str(data), f"one={data}"):
        assert placed(tmp_path, [given]) == [("one", "file", ("id",))]
    assert placed(tmp_path, []) == [("one", "mqtt", ("id",))]


def test_what_cannot_be_placed_is_said(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text("")
    more = "  two: {from: broker, channel: c, format: json, as: B, time: t}"
    with pytest.raises(
        ConfigurationError, match="has the sources 'one', 'two': say which, as in --data one="
    ):
        placed(tmp_path, [str(data)], more)
    with pytest.raises(ConfigurationError, match="no source 'tow': did you mean 'two'"):
        placed(tmp_path, [f"tow={data}"], more)
    with pytest.raises(ConfigurationError, match=r"there is no file 'nowhere\.jsonl'"):
        placed(tmp_path, ["one=nowhere.jsonl"])
    with pytest.raises(ConfigurationError, match=r"source 'one' reads '.*' already: put them into one file"):
        placed(tmp_path, [f"one={data}", f"one={data}"], more)
    named = tmp_path / "other=1.jsonl"
    named.write_text("")
    with pytest.raises(ConfigurationError, match="say which, as in --data one="):
        placed(tmp_path, [str(named)], more)
    assert placed(tmp_path, [str(named)]) == [("one", "file", ("id",))]
