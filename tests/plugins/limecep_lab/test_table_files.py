"""Tables in files, read and written."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import ConfigurationError
from limecep_lab.table_files import beside, format_of, read, write

if TYPE_CHECKING:
    from pathlib import Path

#: What needs quotes, and what is not there.
ROWS = [("e1", 1, 'say "x", y', 0.5), ("e2", None, "", 1e-7), ("e3", 3, "back\\slash", None)]
SCHEMA = "id string, n long, text string, v double"


@pytest.fixture
def frame(spark: Any) -> Any:
    return spark.createDataFrame(ROWS, SCHEMA).repartitionByRange(3, "id").sortWithinPartitions("id")


@pytest.mark.spark
@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "below/t.csv", "t.ndjson"])
def test_what_is_written_is_read(name: str, frame: Any, spark: Any, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    write(frame, path)
    assert [p.name for p in (tmp_path / name).parent.iterdir()] == [name.rpartition("/")[2]]
    found = sorted(tuple(row[c] for c in ("id", "n", "text", "v")) for row in read(spark, path).collect())
    if name.endswith("csv"):
        found = [(i, n and int(n), text or "", v and float(v)) for i, n, text, v in found]
    assert found == ROWS


@pytest.mark.spark
def test_one_file_has_all_parts_in_order(frame: Any, tmp_path: Path) -> None:
    write(frame, str(tmp_path / "t.csv"))
    with (tmp_path / "t.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["id", "n", "text", "v"],
            *[["" if v is None else str(v).replace("1e-07", "1.0E-7") for v in row] for row in ROWS],
        ]
    write(frame, str(tmp_path / "t.jsonl"))
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [e["id"] for e in lines] == ["e1", "e2", "e3"]
    assert "n" not in lines[1]


@pytest.mark.spark
@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_a_folder_has_a_file_for_each_part(format: str, frame: Any, spark: Any, tmp_path: Path) -> None:
    write(frame, str(tmp_path / "t"), format)
    assert sorted(p.name for p in (tmp_path / "t").iterdir()) == [f"part-0000{n}.{format}" for n in range(3)]
    # Its files say what it is.
    assert [row["id"] for row in read(spark, str(tmp_path / "t")).orderBy("id").collect()] == [
        "e1",
        "e2",
        "e3",
    ]


@pytest.mark.spark
def test_names_of_columns_and_files_may_have_any_characters(spark: Any, tmp_path: Path) -> None:
    columns = ["a,b", 'say "c"', "d"]
    path = str(tmp_path / "a b [1]*{x}.csv")
    write(spark.createDataFrame([("1", "2", "3")], columns), path)
    found = read(spark, path)
    assert found.columns == columns
    assert [tuple(row) for row in found.collect()] == [("1", "2", "3")]


@pytest.mark.spark
def test_a_table_without_rows_is_one(frame: Any, tmp_path: Path) -> None:
    write(frame.where("false"), str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text() == "id,n,text,v\n"
    write(frame.where("false"), str(tmp_path / "t.jsonl"))
    assert (tmp_path / "t.jsonl").read_text() == ""


@pytest.mark.spark
def test_what_is_there_stays_and_what_fails_leaves_nothing(frame: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("mine")
    with pytest.raises(ConfigurationError, match=r"t\.csv is there already"):
        write(frame, str(tmp_path / "t.csv"))
    with pytest.raises(Exception, match="no such value"):
        write(frame.selectExpr("cast(raise_error('no such value') as string) as x"), str(tmp_path / "u.csv"))
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.spark
def test_gzip_that_is_not_written_is_refused_before_anything_is(frame: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"t\.csv\.gz: no gzip is written"):
        write(frame, str(tmp_path / "t.csv.gz"))
    assert not list(tmp_path.iterdir())


@pytest.mark.spark
@pytest.mark.parametrize(("name", "text"), [("t.jsonl", '{"a": 1}\n{"a"'), ("t.csv", "a,b\n1,2\n3,4,5\n")])
def test_lines_that_are_none_are_not_passed_over(name: str, text: str, spark: Any, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Exception, match=r"(?i)malformed"):
        read(spark, str(tmp_path / name)).collect()


def test_a_format_that_cannot_be_told_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="does not say what its format is"):
        format_of(str(tmp_path / "events"), None)
    assert format_of(str(tmp_path / "events"), "csv") == "csv"
    assert format_of("a/events.jsonl.gz", None) == "jsonl"


def test_what_belongs_to_a_table_is_named_after_it() -> None:
    assert beside("a/stream.csv", "done") == "a/stream-done.parquet"
    assert beside("a/stream/", "done") == "a/stream-done.parquet"
