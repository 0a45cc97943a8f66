"""The application of measured devices."""

from django.apps import AppConfig


class MeasuringConfig(AppConfig):
    """Stores agents, their jobs and what they measured."""

    name = "webapp.measuring"
    label = "measuring"
    verbose_name = "Measuring"

    def ready(self) -> None:
        """Let runs ask for measurements from now on; measurements go with bundles and count for the limits."""
        from webapp.measuring.imported_measurements import rows_of, store_rows
        from webapp.measuring.run_measurements import DeviceMeasuring
        from webapp.measuring.usage import count_measurements
        from webapp.runs.bundles.bundle_parts import PARTS, BundlePart
        from webapp.runs.inputs.measurement_hooks import install

        count_measurements()
        install(DeviceMeasuring())
        PARTS["measured"] = BundlePart(rows_of, store_rows)
