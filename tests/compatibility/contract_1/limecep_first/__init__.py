"""Components for the first version of the contracts of limecep."""
