"""Webhooks: messages on ended runs and studies of a project, to addresses that its maintainers chose."""
