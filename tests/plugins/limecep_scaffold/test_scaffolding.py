"""New plugin distributions: what is written, under which names, and where. A packaging test runs them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.errors import ConfigurationError, LimecepError
from limecep.host import Host
from limecep.spec import KINDS
from limecep_scaffold.scaffolding import components, kinds, scaffold

if TYPE_CHECKING:
    from limecep.registry import Registry

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def installed() -> Registry:
    return Host.load().registry


def written(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_there_is_a_template_for_every_kind_that_has_a_suite() -> None:
    suites = {p.stem for p in (ROOT / "limecep/testing").glob("*.py")} & set(KINDS)
    assert set(kinds()) == suites | {"source", "sink", "transport"}


def public() -> set[str]:
    """The modules that CONTRIBUTING.md names as public, and those that it refers to."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    _, _, section = page.partition("## What is public")
    named, _, _ = section.partition("All else is internal")
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    open_ = [
        line for c in linter["contracts"] if c["type"] == "protected" for line in c.get("ignore_imports", ())
    ]
    return {*re.findall(r"`(limecep[.\w]*)`", named), *(line.removeprefix("** -> ") for line in open_)}


@pytest.mark.parametrize("kind", kinds())
def test_what_is_written_imports_what_is_public(kind: str, installed: Registry, tmp_path: Path) -> None:
    """Whoever starts from it is not broken by what changes without notice."""
    folder, _ = scaffold(kind, "mine", tmp_path, installed)
    nodes = [n for f in folder.rglob("*.py") for n in ast.walk(ast.parse(f.read_text()))]
    imported = {n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module}
    imported |= {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    of_ours = {m for m in imported if m.split(".")[0] == "limecep"}
    assert "limecep.api" in of_ours
    # Of the package itself only the names that it exports.
    rooms = public() - {"limecep"}
    assert {m for m in of_ours - {"limecep"} if not any(f"{m}.".startswith(f"{r}.") for r in rooms)} == set()


@pytest.mark.parametrize("kind", kinds())
def test_everything_is_called_by_the_new_name(kind: str, installed: Registry, tmp_path: Path) -> None:
    folder, paths = scaffold(kind, "two_words", tmp_path, installed)
    assert folder == tmp_path / "limecep-two-words"
    files = written(folder)
    assert sorted(files) == [str(p.relative_to(folder)) for p in paths]
    assert {"pyproject.toml", "README.md", "limecep_two_words/plugin.py", "tests/test_plugin.py"} <= set(
        files
    )
    assert [name for name, text in files.items() if re.search(r"\bmine\b|[_-]mine|Mine", name + text)] == []
    for component in components(kind):
        named = rf'kind="{component}",\n +name="two_words",'
        assert re.search(named, files["limecep_two_words/plugin.py"])
    # A function has none; what a command is told stands on its line.
    assert kind in ("function", "command") or "TwoWordsOptions" in files["limecep_two_words/config.py"]


def test_the_project_file_says_what_it_is_and_needs(installed: Registry, tmp_path: Path) -> None:
    folder, _ = scaffold("engine", "two_words", tmp_path, installed)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["name"] == "limecep-two-words"
    assert project["entry-points"] == {"limecep": {"two_words": "limecep_two_words.plugin"}}
    assert project["dependencies"] == ["limecep>=0.1,<0.2"]


@pytest.mark.parametrize(
    ("version", "range_"), [("0.1.0", ">=0.1,<0.2"), ("0.12.3", ">=0.12,<0.13"), ("2.3.1", ">=2.3,<3")]
)
def test_it_needs_the_limecep_that_wrote_it(
    version: str, range_: str, installed: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limecep_scaffold.scaffolding.__version__", version)
    folder, _ = scaffold("slack", "mine", tmp_path, installed)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == [f"limecep{range_}"]
    assert project["optional-dependencies"]["test"] == [f"limecep[testing]{range_}"]


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("My-Engine", "bad-name", "my_engine"),
        ("2nd", "bad-name", ": nd"),
        ("a__b", "bad-name", "a_b"),
        ("é", "bad-name", "between words"),
        ("", "bad-name", "between words"),
        ("null", "bad-name", "not null, true or false"),
        ("../x", "bad-name", ": x"),
        ("maximal", "name-taken", "component engine/maximal"),
        ("file", "name-taken", "package 'limecep_file'"),
    ],
)
def test_a_name_that_cannot_be_used_is_told(
    name: str, code: str, says: str, installed: Registry, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        scaffold("engine", name, tmp_path, installed)
    [problem] = caught.value.problems
    assert problem.code == code
    assert says in f"{problem.message} {problem.hint}"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_as_it_is(installed: Registry, tmp_path: Path) -> None:
    (tmp_path / "limecep-box").mkdir()
    with pytest.raises(LimecepError, match="limecep-box is there already, and is left as it is"):
        scaffold("source", "box", tmp_path, installed)
    assert list((tmp_path / "limecep-box").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(installed: Registry, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LimecepError, match=r"file.* cannot be written: "):
        scaffold("source", "box", tmp_path / "file/below", installed)


def test_the_command_says_what_it_wrote_and_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my plugins"
    assert cli.main(["plugins", "new", "sink", "box", "--dir", str(folder)]) == Exit.FINE
    said = capsys.readouterr().out
    assert f"{folder}/limecep-box/limecep_box/sink.py\n" in said
    assert f"cd '{folder}/limecep-box' && pip install -e '.[test]' && pytest" in said


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("no-name", Exit.USAGE, "error: 'no-name' cannot be the name of a component [bad-name]"),
        ("box", Exit.FAILED, "limecep: "),
    ],
)
def test_the_command_fails_in_words(
    name: str, code: Exit, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "limecep-box").mkdir()
    assert cli.main(["plugins", "new", "engine", name, "--dir", str(tmp_path)]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(says)


def test_a_transport_is_a_source_and_a_sink(
    installed: Registry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["plugins", "new", "transport", "box", "--dir", str(tmp_path)]) == Exit.FINE
    said = capsys.readouterr().out
    files = written(tmp_path / "limecep-box")
    for kind in ("source", "sink"):
        assert f"limecep plugins show {kind}/box\n" in said
        folder, _ = scaffold(kind, "box", tmp_path / kind, installed)
        alone = written(folder)
        for name in ("limecep_box/config.py", f"limecep_box/{kind}.py", f"tests/test_{kind}.py"):
            assert files[name] == alone[name]
    with pytest.raises(ConfigurationError, match="there is a component source/kafka already"):
        scaffold("transport", "kafka", tmp_path, installed)


def test_the_engine_searches_as_the_one_of_the_examples(installed: Registry, tmp_path: Path) -> None:
    folder, _ = scaffold("engine", "new", tmp_path, installed)
    new = (folder / "limecep_new/engine.py").read_text()
    example = (ROOT / "examples/custom_engine/limecep_top/search.py").read_text()
    assert new[new.index("class _Search:") :] == f"class _{example[example.index('Search:') :]}"


@pytest.mark.slow
def test_what_is_written_has_the_types_that_its_contract_asks_for(
    installed: Registry, tmp_path: Path
) -> None:
    folders = [scaffold(kind, f"new_{kind}", tmp_path, installed)[0] for kind in kinds()]
    packages = [next(f.glob("limecep_*")) for f in folders]
    rooms = [ROOT, *(ROOT / room for room in ("engines", "transports", "policies", "plugins"))]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--explicit-package-bases", *packages],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": os.pathsep.join(map(str, [*folders, *rooms]))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
