"""Progress of a run: the context that an engine receives and the steps that it yields."""
