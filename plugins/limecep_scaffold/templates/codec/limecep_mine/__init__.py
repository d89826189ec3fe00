"""A codec for limecep."""
