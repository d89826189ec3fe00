"""From updates to records of the change log."""
