"""Django's admin as an application."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):
    """Django's admin with forms that detect concurrent changes."""

    default = False
    default_site = "webapp.site.admin_site.Site"
