"""Default parameters for values that data sheets and small measurements lack, each with source and reason."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hardware.calibration.loader import builtin_calibrations, load_calibration

# What a bit that is read or written takes: LPDDR4 in Accelergy's CACTI plug-in (Accelergy-Project/accelergy-cacti-plug-in,
# cacti_wrapper.py, `DRAM_estimate_energy`), which says "public data" of it.
_LPDDR4_PJ_PER_BIT = 8.0
_XAVIER = "xavier-magnas"


@cache
def device_defaults() -> Mapping[str, tuple[float, str]]:
    """Return parameter -> (value, source)."""
    xavier = load_calibration(builtin_calibrations()[_XAVIER])
    like = f"as in the calibration {_XAVIER}"
    return {
        "memory_energy_pj_per_byte": (
            8 * _LPDDR4_PJ_PER_BIT,
            f"{_LPDDR4_PJ_PER_BIT:g} pJ per bit, of LPDDR4 in Accelergy's CACTI plug-in; the same is assumed for other memories",
        ),
        "handover_us": (xavier.value("handover_us"), like),
        "lowest_voltage_share": (xavier.value("lowest_voltage_share"), f"{like}: tables of voltages are not published"),
        "launch_paced_share": (xavier.value("launch_paced_share"), like),
    }
