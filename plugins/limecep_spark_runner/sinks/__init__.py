"""How records leave: on the driver for what Spark writes itself, else from the workers."""
