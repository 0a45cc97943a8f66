"""The application of retention."""

from django.apps import AppConfig


class RetentionConfig(AppConfig):
    """Applies the rules once a day, next to a worker."""

    name = "webapp.retention"
    label = "retention"
    verbose_name = "Retention"

    def ready(self) -> None:
        """Apply the rules next to workers."""
        from webapp.retention import background

        background.prepare()
