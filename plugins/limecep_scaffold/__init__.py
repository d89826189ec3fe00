"""New plugin distributions, made of templates, for `limecep plugins new`."""
