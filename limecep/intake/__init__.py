"""From raw messages to events: fields, times, identity."""
