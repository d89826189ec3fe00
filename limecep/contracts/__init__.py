"""What a plugin implements, one module a kind, duties in prose. Import nothing else of the kernel."""
