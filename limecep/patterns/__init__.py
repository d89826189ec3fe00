"""One pattern: when its end events are evaluated, and what was emitted of them kept right."""
