"""The site as an application: it registers the system checks."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Loads the checks and serves the login templates and their style sheet."""

    name = "webapp.site"
    label = "site"
    verbose_name = "Site"

    def ready(self) -> None:
        """Register the checks with Django."""
        from webapp.site import checks  # noqa: F401  (importing registers)
