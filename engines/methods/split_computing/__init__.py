"""Which sensor pipelines a car sends to a server, chosen in every window of time."""
