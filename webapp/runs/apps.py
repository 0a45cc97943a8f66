"""The application of runs."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Models, life cycle and readers of runs."""

    name = "webapp.runs"
    label = "runs"
    verbose_name = "Runs"
