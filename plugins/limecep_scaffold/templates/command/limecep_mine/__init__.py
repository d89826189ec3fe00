"""A command for limecep."""
