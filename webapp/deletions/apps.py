"""The application of deleted things: a service and a command, no tables."""

from django.apps import AppConfig


class DeletionsConfig(AppConfig):
    """Brings the command along."""

    name = "webapp.deletions"
    label = "deletions"
    verbose_name = "Deletions"
