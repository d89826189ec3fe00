"""`limecep plugins`, on plugins made up here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from limecep import ComponentSpec, cli, option
from limecep.cli import plugins
from limecep.cli.exits import Exit
from limecep.host import Host, Plugin
from limecep.problems import Problem

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Options:
    url: str = option(help="Where it is.", example="x://h:1")
    wait: int = option(1_500_000, help="How long.", unit="duration")


@dataclass(frozen=True, kw_only=True)
class Settings:
    title: str = option("hello", help="What is said first.")


SINK = ComponentSpec(
    kind="sink",
    name="post",
    factory="no_such_package.sink:Post",
    options=Options,
    settings=Settings,
    summary="Posts updates.",
    example="out: {type: post, url: x://h:1}",
    requires=("no_such_client",),
    extra="post",
    distribution="limecep-post",
)
ENGINE = ComponentSpec(kind="engine", name="mine", factory="no_such_package.engine:Mine", summary="Finds.")
PROBLEM = Problem(code="plugin-broken", message="plugin 'bad' failed", hint="tell its author")
PLUGINS = (
    Plugin(
        name="bad",
        module="bad.plugin",
        distribution="dist-b",
        version="2",
        path="/b",
        status="failed",
        problems=(PROBLEM,),
    ),
    Plugin(
        name="gone", module="gone.plugin", distribution="dist-g", version="3", path="/g", status="blocked"
    ),
    Plugin(
        name="good", module="good.plugin", distribution="dist-a", version="1", path="/a", specs=(SINK, ENGINE)
    ),
)


@pytest.fixture(autouse=True)
def _made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins.Host, "load", lambda: Host(PLUGINS))


def test_list_shows_components_by_kind_with_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "list"]) == Exit.FINE
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "sink - takes updates out",
        "  post  Posts updates. [dist-a 1] [needs: pip install 'limecep-post[post]']",
        "engine - finds the matches that end with an event",
        "  mine  Finds. [dist-a 1]",
    ]
    assert said.err.splitlines() == [
        "left out: plugin 'gone' of dist-g 3",
        "error: plugin 'bad' failed [plugin-broken]",
        "    tell its author",
    ]


def test_list_as_json_has_plugins_their_components_and_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "list", "--format", "json"]) == Exit.FINE
    listing = json.loads(capsys.readouterr().out)
    assert [(p["name"], p["status"]) for p in listing["plugins"]] == [
        ("bad", "failed"),
        ("gone", "blocked"),
        ("good", "loaded"),
    ]
    assert listing["plugins"][2]["components"] == [
        {
            "kind": "sink",
            "name": "post",
            "summary": "Posts updates.",
            "stability": "beta",
            "contract": None,
            "missing": "no_such_client",
            "install": "pip install 'limecep-post[post]'",
        },
        {
            "kind": "engine",
            "name": "mine",
            "summary": "Finds.",
            "stability": "beta",
            "results": "maximal",
            "contract": None,
            "missing": None,
            "install": None,
        },
    ]
    assert listing["problems"] == [
        {
            "code": "plugin-broken",
            "severity": "error",
            "message": "plugin 'bad' failed",
            "hint": "tell its author",
        }
    ]


def test_show_prints_options_with_types_defaults_meaning_and_the_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["plugins", "show", "sink/post"]) == Exit.FINE
    assert capsys.readouterr().out.splitlines() == [
        "sink/post - Posts updates.",
        "beta, from plugin 'good' of dist-a 1",
        "needs: pip install 'limecep-post[post]'",
        "",
        "options of the connector",
        "  url (text, required)",
        "      Where it is.",
        "      for example url: x://h:1",
        "  wait (duration, default 1500ms)",
        "      How long.",
        "",
        "options of the sink",
        "  title (text, default hello)",
        "      What is said first.",
        "",
        "example",
        "  out: {type: post, url: x://h:1}",
    ]


def test_show_has_nothing_about_options_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "show", "engine/mine"]) == Exit.FINE
    assert capsys.readouterr().out.splitlines() == [
        "engine/mine - Finds.",
        "beta, from plugin 'good' of dist-a 1",
        "gives the matches contained in no other",
    ]


@pytest.mark.parametrize(
    ("component", "said"),
    [
        ("engine/mien", "no engine named 'mien' [unknown-component]\n    did you mean 'mine'?"),
        (
            "engin/mine",
            "'engin/mine' is not of the form KIND/NAME [unknown-kind]\n    did you mean 'engine'?",
        ),
        ("mine", "'mine' is not of the form KIND/NAME"),
        ("lateness/bad", "no lateness policy named 'bad': plugin 'bad' failed"),
    ],
)
def test_show_of_what_is_not_there_is_a_usage_error(
    component: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["plugins", "show", component]) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_what_a_pipeline_brings_along_is_listed_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "from limecep import component\n@component('slack')\nclass Patient:\n    'Waits.'\n"
    )
    file = tmp_path / "p.yaml"
    file.write_text("plugins: [./mine.py]")
    assert cli.main(["plugins", "list", "--pipeline", str(file)]) == Exit.FINE
    assert "Waits [./mine.py]" in capsys.readouterr().out
    assert cli.main(["plugins", "show", "slack/patient", "--pipeline", str(file)]) == Exit.FINE
    assert "from the local plugin './mine.py'" in capsys.readouterr().out
    file.write_text("plugins: [./gone.py]")
    assert cli.main(["plugins", "list", "--pipeline", str(file)]) == Exit.FOUND_PROBLEMS
    assert f"{file}:1:11: error: the local plugin './gone.py' cannot be read" in capsys.readouterr().err
