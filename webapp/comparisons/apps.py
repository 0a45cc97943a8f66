"""The application of comparisons."""

from django.apps import AppConfig


class ComparisonsConfig(AppConfig):
    """Two to six runs side by side."""

    name = "webapp.comparisons"
    label = "comparisons"
    verbose_name = "Comparisons"
