"""The glossary, and the table of terms in ARCHITECTURE.md, name modules and pages that exist."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs/glossary.md").read_text()
TABLE = (ROOT / "ARCHITECTURE.md").read_text().partition("## Terms and modules\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", GLOSSARY, re.MULTILINE)


def modules(text: str) -> list[str]:
    return sorted(set(re.findall(r"`(limecep\w*(?:\.\w+)+)`", text)))


@pytest.mark.parametrize("module", modules(GLOSSARY + TABLE))
def test_a_module_that_is_named_exists(module: str) -> None:
    assert find_spec(module) is not None


def test_a_page_that_is_named_exists() -> None:
    pages = re.findall(r"\]\((\w+\.md)\)", GLOSSARY)
    assert pages
    assert [page for page in pages if not (ROOT / "docs" / page).exists()] == []


def test_every_term_is_said_in_a_few_words_and_has_a_place() -> None:
    terms = [(term, meaning, where) for term, meaning, where in ROWS if set(term) != {"-"} and term != "term"]
    assert len(terms) > 40
    assert [term for term, _, where in terms if not modules(where) and ".md)" not in where] == []
    assert [term for term, meaning, _ in terms if not meaning.endswith(".") or len(meaning) > 160] == []


def test_the_table_of_terms_names_a_module_in_every_row() -> None:
    rows = [row for row in TABLE.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 20
    assert [row for row in rows if len(modules(row)) != 1] == []
