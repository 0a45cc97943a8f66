"""The application of runs."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Models, life cycle and readers of runs."""

    name = "webapp.runs"
    label = "runs"
    verbose_name = "Runs"

    def ready(self) -> None:
        """Listen to the ends of runs, and have the limits count them."""
        from webapp.runs.end_mail import mail_end
        from webapp.runs.signals import run_ended, run_stopped
        from webapp.runs.usage import count_runs

        count_runs()
        run_ended.connect(mail_end, dispatch_uid="runs.end_mail")
        run_stopped.connect(mail_end, dispatch_uid="runs.end_mail")
