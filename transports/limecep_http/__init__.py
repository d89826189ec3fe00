"""HTTP: a source that takes POSTs, and a sink that posts to a webhook."""
