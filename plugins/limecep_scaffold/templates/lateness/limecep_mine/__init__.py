"""A lateness policy for limecep."""
