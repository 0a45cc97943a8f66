"""The application of the gallery."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class GalleryConfig(AppConfig):
    """Holds the networks of visitors, for less than a day; the runs stand on the official shelf."""

    name = "webapp.gallery"
    label = "gallery"
    verbose_name = "Gallery"

    def ready(self) -> None:
        """Delete networks of visitors next to workers, and give them to whoever signs in."""
        from webapp.gallery import networks

        networks.prepare()
        user_logged_in.connect(networks.keep, dispatch_uid="networks-of-visitors")
