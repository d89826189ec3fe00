"""A time format for limecep."""
