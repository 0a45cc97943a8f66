"""Django app of the REST interface."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST interface and its tokens."""

    name = "webapp.api"
    label = "api"
    verbose_name = "REST interface"

    def ready(self) -> None:
        """Let a new password end tokens."""
        from webapp.api import signals  # noqa: F401  (they register themselves on import)
