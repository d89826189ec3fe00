"""Event managers, one module a way to emit: when the matches of a pattern go out."""
