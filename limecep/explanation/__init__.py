"""What a pipeline will do, told before it runs: the plan of each pattern, as data."""
