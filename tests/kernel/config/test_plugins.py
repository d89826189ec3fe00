"""The `plugins` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load
from limecep.config.plugins import host_of
from limecep.host import Host

if TYPE_CHECKING:
    from pathlib import Path

SLACK = """
from limecep import component
@component("slack")
class {}:
    "Waits."
    def __init__(self, plan, options, context): ...
    def wait(self, statistics): return 0
"""
YAML = """\
version: 1
plugins: {}
patterns:
  p: {{query: "PATTERN SEQ(A a) WITHIN 1 s", slack: {}}}
"""


def loaded(folder: Path, plugins: str, slack: str, **files: str) -> Any:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "p.yaml").write_text(YAML.format(plugins, slack))
    return load(folder / "p.yaml", Host.load().registry, environment={"NAME": "mine"})


def test_files_are_found_below_the_folder_of_the_pipeline(tmp_path: Path) -> None:
    given = loaded(tmp_path, "[./mine.py]", "patient", mine=SLACK.format("Patient"))
    config = given.checked()
    assert config.patterns[0].slack.origin == "./mine.py"
    assert [f.path for f in config.plugins] == [str(tmp_path / "mine.py")]


def test_the_environment_may_name_one(tmp_path: Path) -> None:
    loaded(tmp_path, '["${NAME}.py"]', "patient", mine=SLACK.format("Patient")).checked()


def test_a_name_that_is_taken_is_told_apart_by_the_file(tmp_path: Path) -> None:
    given = loaded(tmp_path, "[./mine.py]", "none", mine=SLACK.format("NONE"))
    [problem] = [p for p in given.problems if p.severity == "error"]
    assert problem.code == "shadowed-component"
    assert problem.hint == "say which one is meant: write 'limecep:none' or './mine.py:none'"
    for written in ("limecep:none", "{type: ./mine.py:none}"):
        given = loaded(tmp_path, "[./mine.py]", written)
        assert given.checked().patterns[0].slack.origin in written


@pytest.mark.parametrize(
    ("plugins", "code", "said"),
    [
        ("./mine.py", "wrong-type", "must be a list, not the text './mine.py'"),
        ("[5]", "wrong-type", "not of the number 5"),
        ("[./gone.py]", "plugin-missing", "cannot be read: No such file"),
        ("[./mine.txt]", "plugin-missing", "is no Python file"),
        ("[./mine.py, mine.py]", "duplicate-plugin", "'mine.py' is named twice"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(tmp_path: Path, plugins: str, code: str, said: str) -> None:
    given = loaded(tmp_path, plugins, "none", mine=SLACK.format("Patient"))
    [problem] = [p for p in given.problems if p.code == code]
    assert said in problem.message
    assert problem.place is not None
    assert (problem.place.file, problem.place.line) == (str(tmp_path / "p.yaml"), 2)


def test_a_file_that_stands_there_as_text_is_one_error(tmp_path: Path) -> None:
    given = loaded(tmp_path, "./mine.py", "patient", mine=SLACK.format("Patient"))
    assert [p.code for p in given.problems if p.severity == "error"] == ["wrong-type"]


def test_what_a_pipeline_brings_can_be_listed_though_it_is_wrong_elsewhere(tmp_path: Path) -> None:
    loaded(tmp_path, "[./mine.py, ./gone.py]", "nonesuch", mine=SLACK.format("Patient"))
    host, problems = host_of(str(tmp_path / "p.yaml"), Host(()))
    assert host.registry.names("slack") == ["patient"]
    assert [p.code for p in problems] == ["plugin-missing"]
    assert host_of(str(tmp_path / "none.yaml"), host)[1][0].code == "unreadable-file"
