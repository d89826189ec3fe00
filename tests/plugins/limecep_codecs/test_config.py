"""Options of codecs that make no sense are refused."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_codecs.config import CsvOptions


@pytest.mark.parametrize(
    "options",
    [{"decimal": ","}, {"quote": ","}, {"quote": "ab"}, {"quote": " "}, {"skip": -1}, {"comment": "# "},
     {"encoding": "latin-x"}, {"encoding": "base64"}, {"delimiter": "\n"}],
)  # fmt: skip
def test_options_that_contradict_each_other_are_refused(options: dict[str, Any]) -> None:
    key = "decimal" if "decimal" in options else next(iter(options))
    with pytest.raises(ValueError, match=f"'{key}'"):
        CsvOptions(**options)
