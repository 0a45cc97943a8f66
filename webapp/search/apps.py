"""The application of the search."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Keeps the index up with what is stored."""

    name = "webapp.search"
    label = "search"
    verbose_name = "Search"

    def ready(self) -> None:
        """Connect the signals."""
        from webapp.search.index_updates import connect

        connect()
