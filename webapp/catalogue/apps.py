"""Django app of the catalogue."""

from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    """Versioned documents."""

    name = "webapp.catalogue"
    label = "catalogue"
    verbose_name = "Catalogue"
