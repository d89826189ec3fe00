"""A state store for limecep."""
