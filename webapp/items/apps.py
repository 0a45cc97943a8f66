"""The application of items: no tables, first of all applications, as others ask for items when they start."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ItemsConfig(AppConfig):
    """Loads the declarations of all applications."""

    name = "webapp.items"
    label = "items"
    verbose_name = "Items"

    def ready(self) -> None:
        """Import the module `items` of every application."""
        autodiscover_modules("items")
