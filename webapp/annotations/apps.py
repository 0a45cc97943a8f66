"""The application of notes, tags and favourites."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    """The application of annotations; it removes the notes and tags of an item together with the item."""

    name = "webapp.annotations"
    label = "talk"
    verbose_name = "Notes, tags and favourites"

    def ready(self) -> None:
        """Connect the signals."""
        from webapp.annotations.things import connect

        connect()
