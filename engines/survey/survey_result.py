"""The result of a survey of devices; plain data, as it is sent between processes and by the REST interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.certainty import Certainty
from engines.contract.fronts.non_dominated import rounded
from engines.cost.estimators.registry import DEFAULT
from engines.cost.memory_capacity import IGNORE_MEMORY
from engines.search.dominance import non_dominated_by_group
from hardware.package.family import PACKAGE
from hardware.soc.family import SOC

# What latency and energy follow from: measurements of the device, its data sheet, or loop nests on its arrays.
Basis = Literal["calibration", "data sheet", "dataflow"]
MOST_POINTS = 24
# Schemas of the documents that a survey knows to price.
SOCS, PACKAGES = SOC.schema, PACKAGE.schema
SCHEMAS = (SOCS, PACKAGES)
_ROUNDING = 1e-9
# Where the memory is too small: surveys have no parameters, engines do.
WAY_ON = f"A run on it with {IGNORE_MEMORY}=true computes the network as if it fit"


class UnsupportedNetworkError(Exception):
    """A device cannot run the network, or nothing is known to price it by; the message is the reason."""


@dataclass(frozen=True)
class SurveyOptions:
    """The options that apply to every device.

    Attributes:
        bits: bits of weights and activations ("w4a16"); "": those of the network, else of the calibration or data sheet.
        power_mode: name of a mode; devices without it are left out. "": the highest clocks.
        cost_model: of layers on arrays; devices with a calibration or a data sheet keep theirs.
    """

    bits: str = ""
    power_mode: str = ""
    cost_model: str = DEFAULT

    def asked(self, *names: str) -> dict[str, str]:
        """Return those of the named options that differ from the usual ones."""
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(SurveyOptions, name)}


@dataclass(frozen=True)
class DeviceMapping:
    """One way to run the network on a device.

    Attributes:
        latency_s: latency in seconds of one sample.
        energy_j: energy in joules of one sample; None where the device's power is not known.
        words: mapping in words: "GPU alone", "GPU 31 blocks, DLA 3".
    """

    latency_s: float
    energy_j: float | None
    words: str

    @property
    def known_energy_j(self) -> float:
        """Return the energy, of a device whose power is known."""
        assert self.energy_j is not None
        return self.energy_j

    @property
    def edp_js(self) -> float:
        """Return the energy-delay product; infinite where the energy is not known."""
        return inf if self.energy_j is None else self.latency_s * self.energy_j


@dataclass(frozen=True)
class DeviceEstimate:
    """A device that runs the network.

    Attributes:
        best: of least energy-delay product, over all ways; of least latency where the energy is not known.
        single: the same over single units (or chiplets) alone; None where none runs all of the network.
        front: latency in seconds and energy in joules of the device's own front, by rising latency; at most `MOST_POINTS`,
            none where the energy is not known.
        proven: whether no way is better than `best`, by the cost model.
        basis: basis of the values.
        words: the same for people: "fp16, calibration xavier-magnas".
        certainty: the word of the ladder for latency and energy.
        latency_factor, energy_factor: error bands; None where there are none, or where public measurements lie outside.
        band: what the factors are of: rows, networks, source and precision; "" where there are none.
        public: public measurements of this network on this device beside the estimate, in words; "" where there are none.
        bits: bits of weights and activations, unless the network states others.
        energy_reason: why the energy is not known; "" where it is.
        note: expected parts that the values omit; "" for none.
        inputs: further documents by slot, and `params` further parameters, with which an engine prices the device alike.
    """

    best: DeviceMapping
    single: DeviceMapping | None
    front: tuple[tuple[float, float], ...]
    proven: bool
    basis: Basis
    words: str
    latency_factor: float | None = None
    energy_factor: float | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    band: str = ""
    public: str = ""
    certainty: Certainty = "predicted"
    bits: str = ""
    energy_reason: str = ""


@dataclass(frozen=True)
class SurveyRow:
    """One device of the survey.

    Attributes:
        name: name of its document.
        title: likewise.
        schema: schema of its document.
        priced: None where it cannot run the network.
        reason: why not; "" where it can.
        on_front: whether no other device has a way that is as good in both latency and energy and better in one.
        weight_bytes, peak_memory_bytes: memory of the network; None if its bits are unknown.
        fits: whether the memory of the device holds that; None where either is not known.
    """

    name: str
    title: str
    schema: str
    priced: DeviceEstimate | None = None
    reason: str = ""
    on_front: bool = False
    weight_bytes: int | None = None
    peak_memory_bytes: int | None = None
    fits: bool | None = None


@dataclass(frozen=True)
class Survey:
    """A network on all devices.

    Attributes:
        network: title of the network.
        layers: layers that compute.
        macs: multiply-accumulates of one sample.
        devices: those that run it by rising energy-delay product, then those of unknown energy by rising latency, then the others,
            in the order given.
        parameters: parameters of the network.
        indistinct: titles of two devices next to each other in latency whose error bands overlap so widely that either may be the
            faster.
    """

    network: str
    layers: int
    macs: float
    devices: tuple[SurveyRow, ...]
    parameters: int = 0
    indistinct: tuple[tuple[str, str], ...] = ()

    @property
    def able(self) -> tuple[SurveyRow, ...]:
        """Devices that run the network."""
        return tuple(each for each in self.devices if each.priced is not None)

    @property
    def unable(self) -> tuple[SurveyRow, ...]:
        """Devices that cannot run the network, each with the reason."""
        return tuple(each for each in self.devices if each.priced is None)


def front_of(latency_s: FloatArray, energy_j: FloatArray) -> tuple[tuple[float, float], ...]:
    """Return the points that no other equals or beats in both, by rising latency, thinned evenly to `MOST_POINTS`.

    Arguments have shape `n`, `n` at least 1.
    """
    kept = non_dominated_by_group(np.zeros(len(latency_s), np.int64), rounded(latency_s), rounded(energy_j))
    kept = kept[np.argsort(latency_s[kept], kind="stable")]
    if len(kept) > MOST_POINTS:
        kept = kept[np.unique(np.linspace(0, len(kept) - 1, MOST_POINTS).round().astype(int))]
    return tuple((float(latency_s[at]), float(energy_j[at])) for at in kept)


def reached(devices: Sequence[SurveyRow]) -> tuple[bool, ...]:
    """Return whether no other device dominates a mapping of each device in latency and energy."""
    points = [(at, *point) for at, each in enumerate(devices) if each.priced for point in each.priced.front]
    if not points:
        return (False,) * len(devices)
    owner, latency, energy = (np.array(column) for column in zip(*points, strict=True))
    ahead = non_dominated_by_group(np.zeros(len(points), np.int64), latency, energy)
    equal = _near(latency[:, None], latency[ahead]) & _near(energy[:, None], energy[ahead])
    on_front = set(owner[equal.any(axis=1)].tolist())
    return tuple(at in on_front for at in range(len(devices)))


def _near(values: FloatArray, others: FloatArray) -> BoolArray:
    """Return whether values are the same up to rounding: devices that do the same add it up in another order."""
    return np.asarray(np.abs(values - others) <= _ROUNDING * others)
