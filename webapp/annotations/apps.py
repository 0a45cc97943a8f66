"""The application of notes, tags and favourites."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    """Removes what was said about a thing with the thing."""

    name = "webapp.annotations"
    label = "talk"
    verbose_name = "Notes, tags and favourites"

    def ready(self) -> None:
        """Connect the signals."""
        from webapp.annotations.things import connect

        connect()
