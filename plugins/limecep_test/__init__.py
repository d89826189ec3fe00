"""`limecep test`: tests of pipelines, written in YAML beside them."""
