"""The keys of test files."""

from __future__ import annotations

import pytest

from limecep.embedding.documents import keys
from limecep_test.blocks import CaseBlock, FileBlock, OrdersBlock


def test_at_least_one_order_is_tried() -> None:
    with pytest.raises(ValueError, match="'orders' must be at least 1"):
        OrdersBlock(orders=0)


def test_what_a_file_says_of_all_tests_one_of_them_may_say_otherwise() -> None:
    assert {"params", "set", "tables", "attributes"} <= set(keys(FileBlock)) & set(keys(CaseBlock))
