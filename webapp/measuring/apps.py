"""The application of measured devices."""

from django.apps import AppConfig


class MeasuringConfig(AppConfig):
    """Stores agents, their jobs and what they measured."""

    name = "webapp.measuring"
    label = "measuring"
    verbose_name = "Measuring"

    def ready(self) -> None:
        """Runs may ask for measurements from now on."""
        from webapp.measuring.in_runs import DeviceMeasuring
        from webapp.runs.measuring import install

        install(DeviceMeasuring())
