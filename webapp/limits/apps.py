"""The application of the limits."""

from django.apps import AppConfig


class LimitsConfig(AppConfig):
    """Limits that administrators set."""

    name = "webapp.limits"
    label = "limits"
    verbose_name = "Limits"
