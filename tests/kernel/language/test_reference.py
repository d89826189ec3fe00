"""The reference of the language, held to what the parser does."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from limecep.host import Host
from limecep.language.check import check
from limecep.language.functions import function
from limecep.language.parser import parse

FUNCTIONS = partial(function, Host.load().registry)
REFERENCE = (Path(__file__).parents[3] / "docs" / "patterns.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"^```\n(PATTERN .*?)^```$", REFERENCE, re.MULTILINE | re.DOTALL)
STEPS = re.findall(r"^\| `([^`|]+)` \| ", REFERENCE.split("### Steps")[1].split("###")[0], re.MULTILINE)
STRUCTURES = re.findall(
    r"^\| `([A-Z][^`|]+)` \| ", REFERENCE.split("### Steps")[1].split("## Cond")[0], re.MULTILINE
)
GROUPS = re.findall(r"^\| `([^`|]+)`.*\|", REFERENCE.split("### Groups")[1].split("###")[0], re.MULTILINE)


def test_the_reference_has_examples_of_everything() -> None:
    assert (len(QUERIES), len(STEPS), len(GROUPS)) == (6, 9, 13)


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_of_the_reference_is_sound(query: str) -> None:
    assert check(parse(query, FUNCTIONS), params=["limit"]) == []


@pytest.mark.parametrize("structure", [*STEPS, *STRUCTURES])
def test_every_structure_of_the_reference_can_be_read(structure: str) -> None:
    assert parse(f"PATTERN {structure} WITHIN 1 s").within == 1_000_000


@pytest.mark.parametrize("condition", GROUPS)
def test_every_condition_on_groups_of_the_reference_is_sound(condition: str) -> None:
    query = f"PATTERN SEQ(A a, B+ b[], C+ c[]) WHERE {condition} WITHIN 1 s"
    assert check(parse(query, FUNCTIONS)) == []
