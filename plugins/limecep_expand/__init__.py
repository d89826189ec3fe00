"""`limecep expand`: from a change log to all matches."""
