"""docs/engines.md shows the code of the example as it is, and links to what there is."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/engines.md").read_text()
EXAMPLE = ROOT / "examples/custom_engine"
FILES = {p: p.read_text() for p in sorted(EXAMPLE.rglob("*")) if p.suffix in (".py", ".toml")}
SHOWN = re.findall(r"^```(?:python|toml)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_code_is_shown() -> None:
    assert len(SHOWN) > 8


@pytest.mark.parametrize("code", SHOWN, ids=lambda code: code.strip().splitlines()[0].strip())
def test_the_code_shown_is_that_of_the_example(code: str) -> None:
    assert [p for p, text in FILES.items() if code in text], textwrap.dedent(code)


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", PAGE)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_every_section_listed_is_there() -> None:
    listed = re.findall(r"^- \[[^]]+\]\(#([^)]+)\)", PAGE, re.MULTILINE)
    headings = [
        re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-")
        for h in re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    ]
    assert listed == headings
