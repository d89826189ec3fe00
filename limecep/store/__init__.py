"""The shared sorted sets: every event once, for all patterns."""
