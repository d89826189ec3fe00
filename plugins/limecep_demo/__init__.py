"""Demos: small stories with their pipelines and generated data, for `limecep demo`."""
