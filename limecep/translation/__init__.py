"""Queries of other languages, as queries of ours: SQL's `MATCH_RECOGNIZE`."""
