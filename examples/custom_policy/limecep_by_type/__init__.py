"""A lateness policy for limecep with a bound for each event type."""
