"""A slack policy for limecep."""
