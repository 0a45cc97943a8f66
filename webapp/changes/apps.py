"""The application of the change log."""

from django.apps import AppConfig


class ChangesConfig(AppConfig):
    """Watches the models that people change."""

    name = "webapp.changes"
    label = "changes"
    verbose_name = "Change log"

    def ready(self) -> None:
        """Connect the signals."""
        from webapp.changes.change_recorder import watch
        from webapp.changes.sign_ins import watch_sign_ins

        watch()
        watch_sign_ins()
