"""Kafka topics."""
