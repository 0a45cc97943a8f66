"""The supernet: its network, its training as an engine, its weights and their accuracy."""
