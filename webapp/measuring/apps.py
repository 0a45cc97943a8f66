"""The application of measured devices."""

from django.apps import AppConfig


class MeasuringConfig(AppConfig):
    """Stores agents, their jobs and what they measured."""

    name = "webapp.measuring"
    label = "measuring"
    verbose_name = "Measuring"

    def ready(self) -> None:
        """Runs may ask for measurements from now on, and what was measured of a run goes with its bundle."""
        from webapp.measuring.elsewhere import rows_of, store_rows
        from webapp.measuring.in_runs import DeviceMeasuring
        from webapp.runs.bundle_parts import PARTS, BundlePart
        from webapp.runs.measuring import install

        install(DeviceMeasuring())
        PARTS["measured"] = BundlePart(rows_of, store_rows)
