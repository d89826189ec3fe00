"""MQTT: sources and sinks at a broker."""
