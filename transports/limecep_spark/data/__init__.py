"""Streams of any size, as PySpark DataFrames: made, disordered, and judged. `limecep data` does the same from a
shell."""
