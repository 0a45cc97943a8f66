"""The application of measured devices."""

from django.apps import AppConfig


class MeasuringConfig(AppConfig):
    """Stores agents, their jobs and what they measured."""

    name = "webapp.measuring"
    label = "measuring"
    verbose_name = "Measuring"
