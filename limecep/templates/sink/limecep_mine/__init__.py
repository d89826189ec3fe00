"""A sink for limecep."""
