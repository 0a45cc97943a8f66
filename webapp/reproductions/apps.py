"""The application of reproductions."""

from django.apps import AppConfig


class ReproductionsConfig(AppConfig):
    """Published results, computed again here or at release."""

    name = "webapp.reproductions"
    label = "reproductions"
    verbose_name = "Reproductions"

    def ready(self) -> None:
        """Keep what runs of reproductions computed."""
        from webapp.reproductions import runs
        from webapp.runs.signals import run_done

        run_done.connect(runs.keep_finished, dispatch_uid="reproductions")
