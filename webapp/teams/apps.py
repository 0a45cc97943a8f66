"""The application of projects and members."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """Gives every new user a personal project."""

    name = "webapp.teams"
    label = "teams"
    verbose_name = "Teams"

    def ready(self) -> None:
        """Connect the signal."""
        from webapp.teams import signals  # noqa: F401  (importing connects)
