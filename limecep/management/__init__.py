"""Event managers decide what is evaluated and when; result managers keep what was emitted right."""
