"""Observers: metrics and health for Prometheus, metrics for OpenTelemetry, and what systemd asks for."""
