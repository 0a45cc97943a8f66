"""Workers that reach the site over HTTPS alone: what the site answers them, and the worker's side."""
