"""A problem made ready: windows, device, space, limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.contract.engine import Context, Problem, require
from engines.contract.limits import Allowed, allowed_by
from engines.data import generated_beats, generated_motions
from engines.data.data_set import DataSet
from engines.data.documents import ImageData
from engines.methods.eexnas.costs import Microcontroller
from engines.methods.eexnas.params import EexnasParams
from engines.methods.eexnas.quantities import LIMITS, RAM
from engines.methods.eexnas.space import ARITHMETICS, Space
from hardware.soc.model import ProcessingUnit, Soc

_KIB = 1024.0


@dataclass(frozen=True, eq=False)
class EexnasInstance:
    """The prepared problem that searches and pages share.

    Attributes:
        data: data of the signals that were brought along; None for generated beats.
        examples: windows to learn from.
    """

    params: EexnasParams
    data: ImageData | None
    device: Microcontroller
    space: Space
    allowed: Allowed
    examples: int

    @property
    def data_title(self) -> str:
        """Quoted next to accuracies."""
        if self.data is not None:
            return self.data.title
        made = generated_beats if self.params.generated == "beats" else generated_motions
        return f"{made.TITLE} ({made.SOURCE})"

    def read(self, context: Context) -> DataSet:
        """Return the windows of signals of the problem."""
        if self.data is not None:
            return self.data.read(context.files)
        made = (
            generated_beats.generated_beats if self.params.generated == "beats" else generated_motions.generated_motions
        )
        return made(self.params.windows, self.params.samples, context.random)


def instance_of(problem: Problem[EexnasParams]) -> EexnasInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: images in place of signals, a device that is no microcontroller or whose RAM, clock or power is unknown.
    """
    params, data = problem.params, problem.optional("data", ImageData)
    samples, examples = params.samples, int(0.6 * params.windows)
    channels, classes = 1, len(generated_beats.CLASSES)
    if params.generated == "motions":
        channels, classes = generated_motions.CHANNELS, len(generated_motions.CLASSES)
    if data is not None:
        require(
            data.is_signals,
            "inputs.data",
            data.title,
            "a data set with windows of signals",
            remedies=["Import a recording with `paretoscope import_data signals`."],
        )
        channels, samples, classes = data.channels, data.height, len(data.classes)
        examples = data.examples["train"]
    device = _device(problem.value("hardware", Soc), params)
    allowed = {RAM: device.ram_bytes / _KIB, **allowed_by(LIMITS, params)}
    space = Space(channels, samples, classes, _KIB * allowed[RAM], device.ram, ARITHMETICS[params.arithmetic])
    return EexnasInstance(params, data, device, space, allowed, examples)


def _device(soc: Soc, params: EexnasParams) -> Microcontroller:
    units = [unit for unit in soc.units.values() if _counts(unit)]
    accepted = "a device with a microcontroller whose clock and RAM are known"
    require(bool(units), "inputs.hardware", soc.slug, accepted, remedies=["Add these values to a copy of the device."])
    unit = units[0]
    known = params.active_power_mw is not None or bool(soc.power_states_w)
    require(known, "params.active_power_mw", None, "given", reason=f"The document of {soc.slug} has no power states.")
    power_w = max(soc.power_states_w.values()) if params.active_power_mw is None else 1e-3 * params.active_power_mw
    ram: Any = unit.on_chip_memory_bytes
    return Microcontroller(
        soc.title, unit.frequencies_hz[-1], power_w, float(ram), params.cycles_per_mac, params.cycles_per_add,
        params.cycles_per_word, float(params.overhead_bytes),
    )  # fmt: skip


def _counts(unit: ProcessingUnit) -> bool:
    return unit.kind == "mcu" and bool(unit.frequencies_hz) and unit.on_chip_memory_bytes is not None
