"""SQL: a source that reads a table as it grows, and a sink that writes one."""
