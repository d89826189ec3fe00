"""Message formats: JSON, CSV and CloudEvents."""
