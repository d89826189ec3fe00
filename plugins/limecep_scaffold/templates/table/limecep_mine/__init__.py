"""A table for limecep."""
