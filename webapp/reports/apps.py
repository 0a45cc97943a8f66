"""The application of reports."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Pages of text with blocks out of runs."""

    name = "webapp.reports"
    label = "reports"
    verbose_name = "Reports"
