"""The application of reproductions."""

from django.apps import AppConfig


class ReproductionsConfig(AppConfig):
    """Published results beside ours, as last computed here."""

    name = "webapp.reproductions"
    label = "reproductions"
    verbose_name = "Reproductions"
