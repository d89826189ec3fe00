"""Streams that are made: what they are made of, and as rows."""
