"""What is installed here: the built-in components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.host import Host

if TYPE_CHECKING:
    from limecep.registry import Registry


@pytest.fixture(scope="session")
def installed() -> Registry:
    return Host.load().registry
