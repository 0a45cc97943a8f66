"""The application of read-only links."""

from django.apps import AppConfig


class SharingConfig(AppConfig):
    """Holds the links; what they open belongs to other applications."""

    name = "webapp.sharing"
    label = "sharing"
    verbose_name = "Sharing"
