"""The name of a file tells its format."""

from __future__ import annotations

import pytest

from limecep_file.formats import default_format


@pytest.mark.parametrize(
    ("channel", "codec"),
    [("a.csv", "csv"), ("x/*.CSV.gz", "csv"), ("a.jsonl", "json"), ("a.ndjson.gz", "json"),
     ("a.json", "json"), ("-", "json"), ("a.log", ""), ("csv", ""), ("a.gz", ""), ("", "")],
)  # fmt: skip
def test_the_codec_follows_from_the_name(channel: str, codec: str) -> None:
    assert default_format(channel) == codec
