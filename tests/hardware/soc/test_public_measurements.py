from __future__ import annotations

from engines.workloads.loader import builtin_workloads
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.public_measurements import public_measurements


def test_every_measurement_is_of_a_device_unit_and_network_of_the_catalogue_and_names_its_file() -> None:
    for row in public_measurements():
        soc = load_soc(builtin_socs()[row.device])
        assert row.unit in soc.units and row.network in builtin_workloads()
        assert (
            row.version in row.source
            and " at " in row.where
            and row.precision in soc.units[row.unit].operations_per_cycle
        )
