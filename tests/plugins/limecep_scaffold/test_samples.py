"""Messages and records that a codec is tried with."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import RunFailure
from limecep_codecs.config import JsonOptions
from limecep_codecs.json_codec import JsonCodec
from limecep_scaffold.samples import decoded, messages, samples

if TYPE_CHECKING:
    from pathlib import Path


def test_messages_are_lines_or_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"a\n\nb\r\n")
    assert messages(tmp_path / "lines") == [b"a", b"", b"b\r"]
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("2", "1"):
        (folder / name).write_bytes(f"{name}\n".encode())
    assert messages(folder) == [b"1\n", b"2\n"]
    (tmp_path / "empty").touch()
    with pytest.raises(ValueError, match="has no messages"):
        messages(tmp_path / "empty")


def test_each_has_a_line_of_records(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_text('{"a": 1}\n[{"b": 2}, {}]\n[]\n')
    assert samples([b"x", b"y", b"z"], path) == ((b"x", [{"a": 1}]), (b"y", [{"b": 2}, {}]), (b"z", []))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}\n", "has records of 1 messages, and there are 2"),
        ("{}\n{", ":2 is no JSON"),
        ("{}\n[1]", ":2 is neither a record nor a list of records"),
    ],
)
def test_what_is_wrong_with_them_is_told(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "records").write_text(text)
    with pytest.raises(ValueError, match=said):
        samples([b"x", b"y"], tmp_path / "records")


def test_without_records_they_are_what_the_codec_gives() -> None:
    def make(context: Any) -> Any:
        return JsonCodec(JsonOptions(), context)

    assert decoded(make, [b'{"a": 1}', b'{"a": 2}']) == ((b'{"a": 1}', [{"a": 1}]), (b'{"a": 2}', [{"a": 2}]))
    with pytest.raises(ValueError, match=r"message 2 is none: .* \(--broken takes what is none\)"):
        decoded(make, [b'{"a": 1}', b"{"])


@pytest.mark.parametrize("hangs", ["decode", "finish", "made"])
def test_a_codec_that_hangs_before_its_suite_begins_is_named(hangs: str) -> None:
    class Waiting:
        def __init__(self, context: Any) -> None:
            self.wait("made")

        def decode(self, sent: Any) -> Any:
            return self.wait("decode")

        def finish(self) -> Any:
            return self.wait("finish")

        def wait(self, where: str) -> Any:
            while where == hangs:
                sleep(0.01)
            return []

    with pytest.raises(RunFailure, match=r"does not return: it goes on after 0\.3 s, in .*test_samples\.py:"):
        decoded(Waiting, [b"x"], 0.3)
