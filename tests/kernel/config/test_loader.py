from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep.config.components import Components
from limecep.config.loader import load, load_dict
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Change, Check, IsTold

    from limecep.config.model import PipelineConfig, SourceConfig
    from limecep.registry import Registry


def source(config: PipelineConfig, name: str) -> SourceConfig:
    return next(s for s in config.sources if s.name == name)


def test_the_pipeline_has_its_own_keys(config: PipelineConfig, tmp_path: Path) -> None:
    assert (config.name, config.root) == ("kitchen", tmp_path)
    assert config.params == {"thresholdGas": 40, "room": "k1"}
    assert (config.retention_time, config.retention_events, config.retention_bytes) == (
        600_000_000,
        5000,
        64_000_000,
    )


def test_the_environment_and_overrides_count(check: Check, full: str) -> None:
    config = check(
        full, ("params.thresholdGas=50", "patterns.gas_fire.select=stnm"), BROKER_URL="mq://broker:1"
    ).config
    assert config is not None
    assert config.params["thresholdGas"] == 50
    assert config.patterns[0].select == "stnm"
    assert source(config, "gas").connector.options.url == "mq://broker:1"


def test_a_number_from_the_environment_may_stand_in_quotes(check: Check, full: str) -> None:
    text = full.replace("{type: broker,", '{type: broker, port: "${PORT:-1884}",')
    config = check(text).config
    assert config is not None
    assert source(config, "gas").connector.options.port == 1884


def test_a_wrong_override_is_shown_as_it_was_given(check: Check, full: str) -> None:
    loaded = check(full, ("patterns.gas_fire.selct=stnm",))
    assert loaded.config is None
    assert str(loaded.problems[0]).splitlines() == [
        "--set:1:19: error: pattern 'gas_fire' has no key 'selct' [unknown-key]",
        "    patterns.gas_fire.selct=stnm",
        "                      ^^^^^",
        "    did you mean 'select'?",
    ]


def test_the_name_is_that_of_the_file_by_default(check: Check, full: str) -> None:
    config = check(full.replace("name: kitchen\n", "")).config
    assert config is not None
    assert config.name == "kitchen"


def test_a_dict_is_as_good_as_a_file(registry: Registry, config: PipelineConfig, full: str) -> None:
    loaded = load_dict(yaml.safe_load(full), registry, root=config.root, environment={})
    assert loaded.config is not None
    assert loaded.config == config


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (
            ("patterns", "alarms", "query"),
            "PATTERN SEQ(Alarm a,\n Line b)\nWITHIN 1 secondz",
            "patterns.alarms.query:3:10",
        ),
        (("patterns", "alarms", "selct"), "x", "patterns.alarms.selct"),
        (("sources", "gas", "id"), [1], "sources.gas.id[0]"),
        (("version",), "1", "version"),
        (("params", "room"), {1, 2}, "params.room"),
    ],
)
def test_problems_of_a_dict_have_paths_for_places(
    registry: Registry, path: tuple[str, ...], value: object, place: str, full: str
) -> None:
    document = yaml.safe_load(full)
    inner: Any = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    loaded = load_dict(document, registry, environment={})
    assert loaded.config is None
    assert place in [str(p.place) for p in loaded.problems if p.severity == "error"]


def test_what_was_loaded_is_checked_or_raises_all_its_errors(registry: Registry, full: str) -> None:
    document = yaml.safe_load(full)
    loaded = load_dict(document, registry, environment={})
    assert loaded.checked() is loaded.config
    document["version"], document["sources"]["gas"]["id"] = "1", [1]
    loaded = load_dict(document, registry, environment={})
    with pytest.raises(ConfigurationError) as raised:
        loaded.checked()
    assert list(raised.value.problems) == [p for p in loaded.problems if p.severity == "error"]
    assert len(raised.value.problems) > 1


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("version: 1", "version: one"), 1, "'version' must be 1, not the text 'one' [wrong-version]", ""),
        (("version: 1", "version: 2"), 1, "'version' must be 1, not the number 2", "reads version: 1"),
        (("version: 1\n", ""), 1, "a pipeline needs 'version' [missing-key]", "Example: version: 1"),
        (("name: kitchen", "name: a b"), 2, "'a b' is no name here [bad-name]", "letters, digits, '_', '-'"),
        (("  fire:", "  fi/re:"), 10, "'fi/re' is no name here", ""),
        (("name: kitchen", "name: 5"), 2, "'name' must be text, not the number 5", 'put it in quotes: "5"'),
        (("name: kitchen", "name: kitchen\nname: b"), 3, "'name' stands here a second time", "at line 2"),
        (("name: kitchen", "nam: kitchen"), 2, "a pipeline has no key 'nam' [unknown-key]", "mean 'name'?"),
        (("{limit: 40}", "{limit: [[40]]}"), 3, "parameter 'limit' must be a number, text or a boolean", ""),
        (
            ("{limit: 40}", "{limit: 40, lim it: 5}"),
            3,
            "'lim it' is no name of a parameter",
            "no digit first",
        ),
        (("{limit: 40}", "{limit: .nan}"), 3, "parameter 'limit' is no finite number", ""),
        (("{limit: 40}", "{limit: -.inf}"), 3, "parameter 'limit' is no finite number", ""),
        (("{limit: 40}", "40"), 3, "'params' must be a block of keys, not the number 40", ""),
        (("name: kitchen", "retention: {time: 10}"), 2, "'time' needs a unit: 10s", "or write 'auto'"),
        (("name: kitchen", "retention: {event: 10}"), 2, "'retention' has no key 'event'", "mean 'events'?"),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


@pytest.mark.parametrize("kind", ["engine", "codec"])
def test_nothing_that_the_file_names_is_left_out_without_a_word(
    check: Check, monkeypatch: pytest.MonkeyPatch, kind: str, good: str
) -> None:
    read = Components.read

    def forgetful(self: Components, of: str, *args: Any, **more: Any) -> Any:
        return None if of == kind else read(self, of, *args, **more)

    monkeypatch.setattr(Components, "read", forgetful)
    loaded = check(good)
    assert loaded.config is None
    assert [p.code for p in loaded.problems if p.severity == "error"] == ["not-read"]


def test_a_file_that_is_not_there_is_a_problem(registry: Registry, tmp_path: Path) -> None:
    [problem] = load(tmp_path / "none.yaml", registry).problems
    assert str(problem) == (
        f"{tmp_path}/none.yaml: error: cannot be read: No such file or directory [unreadable-file]"
    )


@pytest.mark.parametrize("text", ["- 1\n", "5\n", "just text\n"])
def test_a_file_that_is_no_block_is_a_problem(check: Check, text: str) -> None:
    [problem] = check(text).problems
    assert "a pipeline is a block of keys, not" in problem.message


def test_a_pipeline_without_sources_can_only_be_fed(check: Check, good: str) -> None:
    begin, end = good.index("sources:"), good.index("patterns:")
    loaded = check(good[:begin] + good[end:])
    assert "no-sources" in [p.code for p in loaded.problems]
    assert loaded.config is not None


@pytest.mark.parametrize(
    ("patterns", "said"),
    [("", "a pipeline needs 'patterns'"), ("  {}\n", "there is no pattern in 'patterns'")],
)
def test_a_pipeline_without_patterns_is_refused(check: Check, patterns: str, said: str, good: str) -> None:
    begin, end = good.index("  fire:"), good.index("sinks:")
    loaded = check(good[:begin] + patterns + good[end:])
    assert loaded.config is None
    assert said in [p.message for p in loaded.problems]
