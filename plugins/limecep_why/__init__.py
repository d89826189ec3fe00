"""`limecep why`: why a match was emitted, corrected or retracted."""
