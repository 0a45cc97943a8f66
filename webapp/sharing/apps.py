"""The application of read-only links."""

from django.apps import AppConfig


class SharingConfig(AppConfig):
    """The application of read-only links; the linked items belong to other applications."""

    name = "webapp.sharing"
    label = "sharing"
    verbose_name = "Sharing"
