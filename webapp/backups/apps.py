"""The application of backups: a service and two commands, no tables."""

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    """Brings the commands along."""

    name = "webapp.backups"
    label = "backups"
    verbose_name = "Backups"
