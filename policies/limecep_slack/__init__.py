"""Slack policies: how long a recomputation waits for more late events."""
