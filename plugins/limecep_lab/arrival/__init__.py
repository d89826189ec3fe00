"""What happens to events on their way."""
