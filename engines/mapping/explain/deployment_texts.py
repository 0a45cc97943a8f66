"""A mapping as files that a device's tools read: layers to devices for TensorRT, clocks as a power model of nvpmodel.

TensorRT: `IBuilderConfig.setDeviceType(layer, DeviceType)` sets each layer's device, trtexec takes the same as
`--layerDeviceTypes=layer:DLA,layer:GPU,...` next to `--useDLACore=N --allowGPUFallback` (TensorRT's documentation of DLA).
Layers are told by name: those of an imported ONNX file are its nodes, as TensorRT's parser names them.

nvpmodel: a block `< POWER_MODEL ID=n NAME=x >` of `/etc/nvpmodel.conf`; CPU clocks in kHz, all others in Hz. It holds clocks of
CPU and GPU at one value and caps memory and DLA, which have no lowest clock there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SCHEMA = "layer-devices/1"
POWER_MODEL_ID = 60  # above those that a device comes with
_KHZ, _MHZ = 1e3, 1e6
# Names come with files that somebody sends: one with a new line in it must not become an option of its own.
_PLAIN = re.compile(r"[\w./+()\[\]{}#@=-]+")
_USE = (
    "for each layer of the network: config.set_device_type(layer, trt.DeviceType.DLA or .GPU), by its name; "
    "a CPU layer runs outside TensorRT"
)

# Device -> names of its CPU clusters in nvpmodel.conf (nvpmodel_t194.conf and nvpmodel_t186.conf of L4T).
CPU_CLUSTERS: Mapping[str, tuple[str, ...]] = {
    "jetson-agx-xavier": ("CPU_DENVER_0", "CPU_DENVER_1", "CPU_DENVER_2", "CPU_DENVER_3"),
    "jetson-tx2": ("CPU_DENVER", "CPU_A57"),
}


@dataclass(frozen=True)
class LayerDevice:
    """Where one layer goes: its name, its block, and the unit of the device ("gpu", "dla", "cpu")."""

    name: str
    block: str
    unit: str


def layer_devices(layers: Sequence[LayerDevice], network: str, device: str, precision: str, dla_core: int = 0) -> str:
    """Return every layer with its device as JSON text; schema `layer-devices/1`.

    Args:
        layers: layers in order.
        network: slug of what is mapped.
        device: slug of the device.
        precision: precision of the weights ("fp16").
        dla_core: of the DLA cores the one that is used.
    """
    used = {layer.unit for layer in layers}
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "network": network,
        "device": device,
        "precision": precision,
        "dla_core": dla_core if "dla" in used else None,
        "allow_gpu_fallback": "dla" in used,
        "use": _USE,
        "layers": [{"name": layer.name, "device": layer.unit.upper(), "block": layer.block} for layer in layers],
    }
    return json.dumps(content, indent=1) + "\n"


def trtexec_options(layers: Sequence[LayerDevice], precision: str, dla_core: int = 0) -> str:
    """Return the options for trtexec, one a line.

    Layers whose name it cannot take (with a colon, comma or space) stand in comments.
    """
    fit = [layer for layer in layers if layer.unit in ("gpu", "dla")]
    named = [layer for layer in fit if _PLAIN.fullmatch(layer.name)]
    lines = [f"--{precision}"] if precision != "fp32" else []
    if any(layer.unit == "dla" for layer in layers):
        lines += [f"--useDLACore={dla_core}", "--allowGPUFallback"]
    lines.append("--layerDeviceTypes=" + ",".join(f"{layer.name}:{layer.unit.upper()}" for layer in named))
    left = [layer for layer in layers if layer not in named]
    lines += [f"# not for trtexec: {_one_line(layer.name)} on {layer.unit.upper()}" for layer in left]
    return "\n".join(lines) + "\n"


def power_model(device: str, clocks_hz: Mapping[str, float], cores: int | None, title: str) -> str | None:
    """Return a power model for nvpmodel.conf; None for a device whose names are not known.

    Args:
        device: slug.
        clocks_hz: unit or "memory" -> clock.
        cores: cores of the CPU that are on; None: all of the device's own file.
        title: title of the mapping, for the comment.
    """
    clusters = CPU_CLUSTERS.get(device)
    if clusters is None:
        return None
    lines = [
        f"# {title}",
        "# Append to /etc/nvpmodel.conf before its last line, then: sudo nvpmodel -m 60",
        f"< POWER_MODEL ID={POWER_MODEL_ID} NAME=PARETOSCOPE >",
        *(f"CPU_ONLINE CORE_{core} 1" for core in range(cores or 0)),
        "GPU_POWER_CONTROL_ENABLE GPU_PWR_CNTL_EN on",
    ]
    if "cpu" in clocks_hz:
        khz = round(clocks_hz["cpu"] / _KHZ)
        lines += [f"{cluster} {end}_FREQ {khz}" for cluster in clusters for end in ("MIN", "MAX")]
    if "gpu" in clocks_hz:
        lines += [f"GPU {end}_FREQ {round(clocks_hz['gpu'])}" for end in ("MIN", "MAX")]
    lines.append("GPU_POWER_CONTROL_DISABLE GPU_PWR_CNTL_DIS auto")
    lines += [
        f"{name} MAX_FREQ {round(clocks_hz[key])}"
        for key, name in (("memory", "EMC"), ("dla", "DLA_CORE"))
        if key in clocks_hz
    ]
    return "\n".join(lines) + "\n"


def clocks_text(clocks_hz: Mapping[str, float]) -> str:
    """Return the clocks in MHz, one a line, for a device without a known power model."""
    return "".join(f"{name}: {hz / _MHZ:g} MHz\n" for name, hz in clocks_hz.items())


def _one_line(name: str) -> str:
    return name if name.isprintable() else json.dumps(name)
