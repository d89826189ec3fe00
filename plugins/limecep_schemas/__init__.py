"""Codecs of messages that need a schema to be read."""
