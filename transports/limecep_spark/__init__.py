"""Apache Spark: sources and sinks of what it reads and writes, for pipelines in one process, and the session
of whatever else runs on it."""
