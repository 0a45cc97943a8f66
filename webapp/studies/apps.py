"""The application of studies."""

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Grids of runs, their progress and their tables."""

    name = "webapp.studies"
    label = "studies"
    verbose_name = "Studies"
