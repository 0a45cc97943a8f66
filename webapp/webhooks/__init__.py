"""Webhooks: what ends in a project is told to addresses that its maintainers chose."""
