"""Apache Spark: a pipeline runs on a cluster, its kernel once for each key."""
