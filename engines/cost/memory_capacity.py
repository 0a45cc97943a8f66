"""Memory that networks need on a device, against the memory that the device has.

A network needs its weights and, at each of its operations, the results that this operation or a later one still reads. The sum is
the least that any runtime needs: copies, workspaces, caches and the operating system come on top. A device with less memory cannot
run the network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.limits import Allowed, Limit
from engines.contract.parameter_fields import switch
from engines.contract.plan import PlanCheck
from engines.contract.results import Note
from engines.workloads.network import Network, ScenarioModel, first_elements
from hardware.bits import BITS_PER_BYTE, BitWidths
from hardware.errors import Remedy
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc

IGNORE_MEMORY = "ignore_memory"  # name of the parameter in every engine that has it
MEMORY_UNKNOWN = "memory capacity unknown"
_WORKS_IN_PLACE = ("activation", "batchnorm", "eltwise")
_UNITS = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


class TooLittleMemoryError(ProblemError):
    """The networks of a problem do not fit into the memory of its device.

    Attributes:
        sentence: the refusal without field and remedy, for lists of devices.
    """

    sentence = ""


@dataclass(frozen=True)
class MemoryDemand:
    """The least memory that networks need.

    Attributes:
        networks: their titles, in words.
        weight_elements: weight elements of all networks; one that occurs twice has its weights once.
        activation_elements: results that are needed at the same time, at most; of all networks together.
        stated: elements and bits of those weights whose network states its own.
    """

    networks: str
    weight_elements: int
    activation_elements: int
    stated: tuple[tuple[int, float], ...] = ()

    def total_bytes(self, bits: BitWidths) -> int:
        """Return the bytes of weights and activations."""
        return sum(self._parts_bytes(bits))

    def weight_bytes(self, bits: BitWidths) -> int:
        """Return the bytes of weights."""
        return self._parts_bytes(bits)[0]

    def _parts_bytes(self, bits: BitWidths) -> tuple[int, int]:
        others = self.weight_elements - sum(elements for elements, _ in self.stated)
        weights = max(0, others) * bits.weights + sum(elements * each for elements, each in self.stated)
        stored = (weights, self.activation_elements * bits.activations)
        return ceil(stored[0] / BITS_PER_BYTE), ceil(stored[1] / BITS_PER_BYTE)

    def sentence(self, bits: BitWidths) -> str:
        """Return the need in words: "GPT-2 needs 3.06 GiB of memory: 3.05 GiB for weights, 9.4 MiB for activations, at 16 bits"."""
        parts = self._parts_bytes(bits)
        weights, activations = map(memory_size, parts)
        stored = f"{bits.weights:g} bits" if bits.weights == bits.activations else bits.name
        stored = f"the bits that operators state, else {stored}" if self.stated else stored
        verb = "need" if " and " in self.networks or self.networks.endswith("networks") else "needs"
        return (
            f"{self.networks} {verb} {memory_size(sum(parts))} of memory: {weights} for weights, {activations} for activations, "
            f"at {stored}"
        )


def ignore_memory_field(group: str = "Units") -> Any:
    """Return the parameter that lifts the limit; `group` is its heading in the form."""
    words = (
        "Off: networks whose weights and largest activations exceed the memory of the device are refused. On: they are computed as "
        "if they fitted, and a note says so."
    )
    return switch(False, "Ignore the size of the memory", group, words, advanced=True)


def memory_demand(models: Sequence[ScenarioModel], *, stated: bool = False) -> MemoryDemand:
    """Return the least memory that models need which run at the same time, each with its batch.

    Args:
        models: the networks.
        stated: whether bits that they state for their weights count.
    """
    networks = {model.network.slug: model.network for model in models}
    weights = sum(network.parameters for network in networks.values())
    activations = sum(activation_elements(model.network) * model.batch for model in models)
    titles = [network.title for network in networks.values()]
    words = " and ".join(titles) if len(titles) < 3 else f"{titles[0]} and {len(titles) - 1} other networks"
    known = tuple(pair for network in networks.values() for pair in _stated_weights(network)) if stated else ()
    return MemoryDemand(words, weights, activations, known)


def _stated_weights(network: Network) -> Iterator[tuple[int, float]]:
    """Yield elements and bits of the weights of operations that state them, each weight once."""
    for operation, elements in zip(network.operations, first_elements(network.operations), strict=True):
        if operation.weight_bits:
            yield elements, operation.weight_bits


def activation_elements(network: Network) -> int:
    """Return the largest number of elements of inputs and results that one sample needs at the same time.

    Element-wise operations overwrite an input that no later operation reads. Where a network does not say what its operations read,
    each reads the one before.
    """
    sizes = [operation.output_elements for operation in network.operations]
    last = {source: operation.index for operation in network.operations for source in operation.sources}
    held = peak = 0
    for operation, size in zip(network.operations, sizes, strict=True):
        ends = [sizes[source] for source in operation.sources if last[source] == operation.index]
        written = 0 if operation.kind in _WORKS_IN_PLACE and max(ends, default=0) >= size else size
        peak = max(peak, held + written, operation.input_elements + written)
        held += size - sum(ends)
    return peak


def require_memory(
    device: Soc | ChipletPackage,
    demand: MemoryDemand,
    bits: BitWidths,
    *,
    ignore: bool | None = None,
    slot: str = "hardware",
) -> None:
    """Refuse networks that need more memory than the device has.

    Args:
        device: one whose memory is not known passes.
        demand: demand of the networks.
        bits: bits of weights and activations.
        ignore: whether the user lifted the limit; None where no parameter does.
        slot: input that the device is.

    Raises:
        TooLittleMemoryError: says what is needed, what there is, and how to go on.
    """
    capacity = _capacity_bytes(device)
    if ignore or capacity is None or demand.total_bytes(bits) <= capacity:
        return
    need = demand.sentence(bits)
    lifted = Remedy(f"Set {IGNORE_MEMORY} to true to ignore the memory size.", f"params.{IGNORE_MEMORY}", True)
    error = TooLittleMemoryError(
        f"inputs.{slot}.memory",
        f"{memory_size(capacity)}, {device.title}",
        "a device with more memory",
        reason=f"{need}.",
        remedies=[] if ignore is None else [lifted],
    )
    error.sentence = f"Does not fit: {need}. The device has {memory_size(capacity)}"
    raise error


def within_capacity(
    allowed: Allowed, limit: Limit, device: Soc | ChipletPackage, most_bytes: float
) -> dict[Limit, float]:
    """Return limits with the memory of the device among them, where the user set no other and some design exceeds it.

    Args:
        allowed: the limits that parameters set.
        limit: on a column in bytes.
        device: whose memory counts, if it is known.
        most_bytes: largest memory of any design.
    """
    capacity = _capacity_bytes(device)
    if limit in allowed or capacity is None or most_bytes <= capacity:
        return dict(allowed)
    return {**allowed, limit: capacity / limit.scale}


def memory_is_known(device: Soc | ChipletPackage) -> bool:
    """Return whether the document of a device says how much memory it has."""
    return _capacity_bytes(device) is not None


def memory_check(device: Soc | ChipletPackage, demand: MemoryDemand, bits: BitWidths) -> PlanCheck:
    """Return the line of "Will it fit?" for the memory of a device."""
    capacity, need = _capacity_bytes(device), demand.sentence(bits)
    if capacity is None:
        return PlanCheck(True, f"{need}; {MEMORY_UNKNOWN}")
    fits = demand.total_bytes(bits) <= capacity
    return PlanCheck(fits, f"{need}; the device has {memory_size(capacity)}")


def memory_notes(device: Soc | ChipletPackage, demand: MemoryDemand, bits: BitWidths) -> list[Note]:
    """Return notes on networks that exceed the memory, or on a device of unknown memory; an empty list if all fit."""
    check = memory_check(device, demand, bits)
    if not check.ok:
        return [Note("memory", "Memory", f"Does not fit: {check.text}. The values are as if it fitted.", "warning")]
    return [Note("memory", "Memory", f"{check.text}.")] if not memory_is_known(device) else []


def unknown_memory_notes(device: Soc | ChipletPackage) -> list[Note]:
    """Return the note on a device whose memory is not known, where the memory is a limit of designs; nothing for others."""
    if memory_is_known(device):
        return []
    return [Note("memory", "Memory", f"{device.title}: {MEMORY_UNKNOWN}, so that it limits no design.")]


def memory_size(size_bytes: float) -> str:
    """Return a size in words, three digits in powers of two: "3.05 GiB"."""
    unit, size = next((each for each in _UNITS if size_bytes >= each[1]), ("B", 1))
    number = size_bytes / size
    return f"{number:.3g} {unit}" if number < 999.5 else f"{number:.0f} {unit}"


def _capacity_bytes(device: Soc | ChipletPackage) -> int | None:
    return device.memory.capacity_bytes if device.memory is not None else None
