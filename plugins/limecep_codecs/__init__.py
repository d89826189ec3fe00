"""Message formats: JSON and CSV."""
