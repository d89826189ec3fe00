"""`limecep compare`: which matches come, go and change where a pipeline does."""
