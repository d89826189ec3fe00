"""Suites that are run against what is wrong on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def unshrunk() -> Iterator[None]:
    """Leaves failures as they were found: making them small takes up to a minute, and nobody reads them."""
    settings.register_profile("unshrunk", deadline=None, phases=[Phase.generate])
    settings.load_profile("unshrunk")
    yield
    settings.load_profile("unhurried")
