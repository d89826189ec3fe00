"""`spark.yaml` as a function of a DataFrame: hard stops and open doors in a table."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from limecep_spark_runner import detect

HERE = Path(__file__).parent
COLUMNS = "time TIMESTAMP, type STRING, van INT, kmh INT"


def found(table: str) -> DataFrame:
    """What is found in the table, which is made of the files if it is not there yet."""
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    if not Path(table).exists():
        vans = sorted(map(str, HERE.glob("van-*.csv")))
        spark.read.csv(vans, header=True, schema=COLUMNS).write.parquet(table)
    return detect(spark.read.parquet(table), HERE / "spark.yaml")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        updates = found(sys.argv[1] if len(sys.argv) > 1 else f"{folder}/vans")
        shown = ("op", "pattern", "key.van AS van", "start", "end", "left(content, 8) AS content")
        updates.orderBy("start").selectExpr(*shown).show()
        print(updates.where("op = 'late'").count(), "rows could not be used")
