"""The files with which a mapping goes to its device."""

from __future__ import annotations

from itertools import pairwise

from engines.contract.arrays import IntArray
from engines.contract.results import Note
from engines.cost.soc.clocks import ClockSettings
from engines.mapping.explain.deployment_texts import (
    CPU_CLUSTERS,
    LayerDevice,
    clocks_text,
    layer_devices,
    power_model,
    trtexec_options,
)
from engines.mapping.problem.instance import Instance


def deployment_files(instance: Instance, units: IntArray, clocks: ClockSettings) -> tuple[Note, ...]:
    """Return the layers to devices for TensorRT (JSON, and options of trtexec), and the clocks.

    The names of the notes are file names.

    Of accelerators with a dataflow, and of devices that nobody measured, the clocks alone.

    Args:
        instance: the problem.
        units: place of the unit of every block, shape `n`.
        clocks: one setting.
    """
    layers = _layers(instance, units)
    network, device = instance.workload.network.slug, instance.soc.slug
    precision, hertz = instance.model.precision, clocks.at(0)
    never_seen = len(instance.datasheet_units) == len(instance.units) and device not in CPU_CLUSTERS
    if instance.soc.by_dataflow or never_seen:  # no runtime is known that such files are for
        return (Note("clocks.txt", "Clocks", clocks_text(hertz), role="document"),)
    files = [
        Note(
            "tensorrt-devices.json",
            "Layers to devices, for TensorRT",
            layer_devices(layers, network, device, precision),
            role="document",
        ),
        Note("trtexec-options.txt", "Options of trtexec", trtexec_options(layers, precision), role="document"),
    ]
    cpu = instance.soc.units.get("cpu")
    cores = round(cpu.cores * instance.soc.active_share("cpu", instance.model.mode)) if cpu and cpu.cores else None
    model = power_model(device, hertz, cores, f"{network} on {device}")
    if model is not None:
        files.append(Note("nvpmodel.conf", "Clocks, as a power model of nvpmodel", model, role="document"))
    else:
        files.append(Note("clocks.txt", "Clocks", clocks_text(hertz), role="document"))
    return tuple(files)


def _layers(instance: Instance, units: IntArray) -> list[LayerDevice]:
    """Return every operation, also those that cost nothing by themselves: TensorRT wants to know of all."""
    names = instance.operations.names
    ends = (*instance.starts, len(names))
    return [
        LayerDevice(name, block, instance.units[unit])
        for block, unit, (begin, end) in zip(instance.blocks, units.tolist(), pairwise(ends), strict=True)
        for name in names[begin:end]
    ]
