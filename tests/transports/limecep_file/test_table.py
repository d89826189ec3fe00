"""The table whose rows stand in files."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.testing.table import TableConformance
from limecep_codecs.config import CsvOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_file.config import FilesTableOptions
from limecep_file.table import FilesTable

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.api import Context

TEXT = 'machine,max,note\npress-1,80,"two\nlines"\npress-2,,x\n'


class TestFiles(TableConformance):
    channel = "limits.csv"
    absent = "nowhere.csv"
    samples = ({"machine": "press-1", "max": 80, "note": "two\nlines"}, {"machine": "press-2", "note": "x"})

    @pytest.fixture(autouse=True)
    def _written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(type(self), "root", tmp_path)
        (tmp_path / self.channel).write_text(TEXT)

    def make_codec(self, context: Context) -> CsvCodec:
        return CsvCodec(CsvOptions(), context)

    def make_table(self, channel: str, context: Context) -> FilesTable:
        return FilesTable(channel, FilesTableOptions(), context)


def rows(folder: Path, **table: Any) -> list[dict[str, Any]]:
    document = {
        "version": 1,
        "tables": {"t": {"from": "files", "key": "m", **table}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WHERE a.m IN t WITHIN 1 s"}},
    }
    loaded = load_dict(document, Host.load().registry, root=folder)
    assert loaded.config is not None, "\n".join(map(str, loaded.problems))
    return [dict(row.values) for row in loaded.config.tables[0].table.rows.listed or ()]


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("t.csv", "m,v\n1,2.5\n2,x", {}),
        ("t.jsonl", '{"m": 1, "v": 2.5}\n{"m": 2, "v": "x"}', {}),
        ("t.json", '[{"m": 1, "v": 2.5},\n {"m": 2, "v": "x"}]', {}),
        ("t.txt", "m;v\n1;2,5\n2;x\n", {"format": {"type": "csv", "delimiter": ";", "decimal": ","}}),
        ("t.txt", "m,v\n1,2.5\n2,x\n", {"format": {"type": "csv", "encoding": "utf-16"}}),
    ],
)
def test_rows_are_read_as_the_codec_reads_events(name: str, text: str, more: Any, tmp_path: Path) -> None:
    encoding = more.get("format", {}).get("encoding", "utf-8")
    (tmp_path / name).write_text(text, encoding=encoding)
    assert rows(tmp_path, channel=name, **more) == [{"m": 1, "v": 2.5}, {"m": 2, "v": "x"}]


def test_several_files_are_one_table_and_may_be_packed(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows/a.csv").write_text("m,v\n1,x\n")
    (tmp_path / "rows/b.csv.gz").write_bytes(gzip.compress(b"v,m\ny,2\n"))
    found = rows(tmp_path, channel="*.csv*", root="rows", format="csv")
    assert found == [{"m": 1, "v": "x"}, {"m": 2, "v": "y"}]


def test_a_long_line_is_no_row(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"m": 1}\n{"m": "' + "x" * 200 + '"}\n')
    with pytest.raises(AssertionError, match=r"1 row of table 't' cannot be used: t\.jsonl:2"):
        rows(tmp_path, channel="t.jsonl", max_line=100)
