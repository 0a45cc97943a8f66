"""Documents of the catalogue from an agent's probe: one system on a chip for each number of threads.

Threads of one processor share its cores, so one thread and all of them are not two units of one device: they are two devices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.integer_format import many

# Where the kernel names no clock, figures per cycle are per nanosecond.
_NOMINAL_MHZ = 1000.0


def document_slug(device: str, threads: int) -> str:
    """Return the slug of the document of a device with that many threads."""
    return f"measured-{device}-{threads}-{'thread' if threads == 1 else 'threads'}"


def device_documents(name: str, slug: str, machine: Mapping[str, Any], on: str) -> list[dict[str, Any]]:
    """Return the documents of schema `soc/1`, one for each measured peak.

    Args:
        name: name of the device.
        slug: slug of the device.
        machine: as the agent's probe gives it.
        on: the day of the probe.
    """
    return [_document(name, slug, machine, peak, on) for peak in machine["peaks"]]


def _document(name: str, slug: str, machine: Mapping[str, Any], peak: Mapping[str, Any], on: str) -> dict[str, Any]:
    threads = int(peak["threads"])
    clock_mhz = float(machine["clock_mhz"]) or _NOMINAL_MHZ
    words = many(threads, "thread")
    operations = round(peak["operations_per_s"] / (clock_mhz * 1e6), 3)
    per_cycle = round(peak["bandwidth_bytes_per_s"] / (_NOMINAL_MHZ * 1e6), 3)
    own = document_slug(slug, threads)
    clock = "highest that the kernel reports" if machine["clock_mhz"] else "nominal: the kernel reports none"
    return {
        "schema": "soc/1",
        "slug": own,
        "title": f"{name}, {words}",
        "summary": f"{machine['processor']}, {machine['cores']} cores, {machine['runtime']}, fp32; found by its agent.",
        "source": f"measured by paretoscope-agent on {on}",
        "lineage": [own],
        "units": {
            "cpu": {
                "kind": "cpu",
                "cores": threads,
                "frequencies_mhz": [clock_mhz],
                "operations_per_cycle": {"fp32": operations},
            }
        },
        "memory": {
            "frequencies_mhz": [_NOMINAL_MHZ],
            "bytes_per_cycle": per_cycle,
            "capacities_gib": [float(machine["memory_gib"])],
        },
        "sources": {
            "units": "read from the kernel by the agent",
            "units.*.frequencies_mhz": clock,
            "units.*.cores": "as many as threads measure",
            "units.*.operations_per_cycle": "measured: product of two fp32 matrices by the library of numpy, best of some",
            "memory": "measured: copies of blocks larger than any cache, read and written; the clock is nominal",
        },
    }
