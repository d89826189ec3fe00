"""Files, standard input and standard output."""
