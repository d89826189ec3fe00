"""What a plugin implements, one module a kind, with its duties in prose. Import nothing else of the kernel."""
