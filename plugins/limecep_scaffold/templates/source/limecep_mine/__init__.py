"""A source for limecep."""
