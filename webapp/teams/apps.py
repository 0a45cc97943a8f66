"""The application of projects and members."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """Gives every new user a personal project."""

    name = "webapp.teams"
    label = "teams"
    verbose_name = "Teams"

    def ready(self) -> None:
        """Connect the signals."""
        from webapp.teams import open_sessions, signals  # noqa: F401  (importing connects)
