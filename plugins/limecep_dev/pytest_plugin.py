"""Has pytest show what the assertions of the suites for authors of plugins compared."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("limecep.testing")
