"""What there is to be found in a stream."""
