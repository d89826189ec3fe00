"""A runner for limecep."""
