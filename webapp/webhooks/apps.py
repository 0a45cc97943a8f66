"""The application of webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Stores what is to be sent when runs end, and sends it next to every worker."""

    name = "webapp.webhooks"
    label = "webhooks"
    verbose_name = "Webhooks"

    def ready(self) -> None:
        """Listen to the ends of runs, and to the start of a worker."""
        from webapp.runs.signals import run_ended
        from webapp.webhooks import background
        from webapp.webhooks.outbox import note_end

        run_ended.connect(note_end, dispatch_uid="webhooks")
        background.prepare()
