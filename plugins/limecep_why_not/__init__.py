"""`limecep why-not`: the smallest changes that would have given a match."""
