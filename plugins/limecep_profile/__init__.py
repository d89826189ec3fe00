"""`limecep profile`: what is in a file of events, and the sources that read it."""
