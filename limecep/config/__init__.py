"""From a YAML file to a checked pipeline configuration, with every problem found at once."""
