"""A function for limecep's conditions."""
