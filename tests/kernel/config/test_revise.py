"""The `revise` block of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.config.model import ReviseConfig

if TYPE_CHECKING:
    from conftest import Edited, IsTold


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{}", ReviseConfig()),
        ("{version: rev}", ReviseConfig(version="rev")),
        ("{withdrawn: {field: gone}}", ReviseConfig(withdrawn="gone", values=(True,))),
        (
            "{version: rev, withdrawn: {field: op, is: [delete, d]}}",
            ReviseConfig(version="rev", withdrawn="op", values=("delete", "d")),
        ),
        ("{withdrawn: {field: state, is: 0}}", ReviseConfig(withdrawn="state", values=(0,))),
    ],
)
def test_it_says_which_fields_tell_versions_and_withdrawals(
    edited: Edited, written: str, expected: ReviseConfig
) -> None:
    config = edited(("id: id", f"id: id, revise: {written}")).config
    assert config is not None
    assert next(s for s in config.sources if s.revise is not None).revise == expected


@pytest.mark.parametrize(
    ("written", "said", "hint"),
    [
        ("revise: {version: rev}", "'revise' needs 'id'", "id: order_id"),
        ("id: id, revise: {vers: rev}", "'revise' has no key 'vers'", "'version'?"),
        ("id: id, revise: {withdrawn: {fild: op}}", "'withdrawn' has no key 'fild'", "'field'?"),
        ("id: id, revise: {withdrawn: {is: d}}", "'withdrawn' needs 'field'", ""),
        ("id: id, revise: 5", "'revise' must be a block", ""),
    ],
)
def test_a_mistake_is_named_where_it_stands(is_told: IsTold, written: str, said: str, hint: str) -> None:
    is_told(("id: id", written), 7, said, hint)
