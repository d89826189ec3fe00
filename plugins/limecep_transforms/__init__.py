"""Built-in transforms of records."""
