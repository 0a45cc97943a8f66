"""Figures for monitoring, as Prometheus reads them at `/metrics`; off until a token is set."""
