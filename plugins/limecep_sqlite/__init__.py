"""State on SQLite."""
