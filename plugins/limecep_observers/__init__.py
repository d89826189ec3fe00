"""Observers: metrics and health for Prometheus, and what systemd asks of a service."""
