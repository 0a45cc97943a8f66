"""Django app of the REST interface."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST interface and its tokens."""

    name = "webapp.api"
    label = "api"
    verbose_name = "REST interface"

    def ready(self) -> None:
        """Teach the schema generator how tokens are sent, and let a new password end them."""
        from webapp.api import schema, signals  # noqa: F401  (they register themselves on import)
