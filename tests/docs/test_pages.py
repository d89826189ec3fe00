"""The pages that no hand keeps current are current, and the schema knows every pipeline here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from limecep import cli
from limecep.cli.exits import Exit
from limecep.host import Host
from limecep_demo.demos import DEMOS

ROOT = Path(__file__).parents[2]
EXAMPLES = [p for p in ROOT.glob("examples/*/*.yaml") if not p.name.endswith(".test.yaml")]
PIPELINES = [*EXAMPLES, *(ROOT / f"plugins/limecep_demo/{name}.yaml" for name in DEMOS)]


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("docs/components.md", "plugins document --from limecep"),
        ("docs/keys.md", "schema --format markdown"),
    ],
)
def test_a_page_is_what_its_command_prints(
    page: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(command.split()) == Exit.FINE
    assert capsys.readouterr().out == (ROOT / page).read_text(), f"limecep {command} > {page}"


def test_the_page_of_components_has_all_of_limecep(capsys: pytest.CaptureFixture[str]) -> None:
    host = Host.load()
    page = (ROOT / "docs/components.md").read_text()
    own = [s for s in host.registry.specs() if host.origin(s).distribution == "limecep"]
    assert own
    # Functions are rows of one table.
    assert [s for s in own if f"### {s.kind}/{s.name}\n" not in page and f"| `{s.name}(" not in page] == []


def test_without_a_distribution_every_component_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "document"]) == Exit.FINE
    specs = Host.load().registry.specs()
    functions = [s for s in specs if s.kind == "function"]
    page = capsys.readouterr().out
    assert page.count("\n### ") == len(specs) - len(functions)
    assert [s for s in functions if f"\n| `{s.name}(" not in page] == []


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda p: p.name)
def test_the_schema_accepts_every_pipeline_here(pipeline: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema"]) == Exit.FINE
    schema = json.loads(capsys.readouterr().out)
    Draft7Validator.check_schema(schema)
    errors = Draft7Validator(schema).iter_errors(yaml.safe_load(pipeline.read_text()))
    assert [e.message for e in errors] == []
