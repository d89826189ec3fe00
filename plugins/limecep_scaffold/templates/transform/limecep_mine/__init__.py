"""A transform for limecep."""
