"""A problem made ready: the space, what its operations cost, budgets and cuts, limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TypeVar

from engines.contract.engine import Problem, require
from engines.contract.limits import Allowed, allowed_by
from engines.cost.calibration.unmeasured import CalibrationCoverage, estimates_as_remedies
from engines.cost.memory_capacity import within_capacity
from engines.cost.soc.model import bits_of
from engines.cost.soc_networks import NetworkPricer, covered_networks
from engines.data.documents import ImageData
from engines.data.training_data import image_data_of
from engines.methods.privynas.costs import Costs, costs_of, every_operation, extreme, needed_bytes
from engines.methods.privynas.params import PrivynasParams
from engines.methods.privynas.quantities import LIMITS, MEMORY
from engines.methods.privynas.space import PrivacySpace, space_of
from engines.simulation.radio_link import joules_per_bit, uplink_bits_per_s
from hardware.calibration.model import SocCalibration
from hardware.radio.model import Radio
from hardware.soc.model import Soc

N = TypeVar("N", int, float)


@dataclass(frozen=True, eq=False)
class PrivynasInstance:
    """The prepared problem that searches and pages share.

    Attributes:
        epsilons: budgets that may be chosen, ascending.
        positions: number of blocks before a cut that may be chosen, ascending.
    """

    params: PrivynasParams
    data: ImageData
    space: PrivacySpace
    epsilons: tuple[float, ...]
    positions: tuple[int, ...]
    covered: CalibrationCoverage
    pricer: NetworkPricer
    radio: Radio
    bits_per_s: float
    allowed: Allowed

    @cached_property
    def costs(self) -> Costs:
        """Return the costs of every operation."""
        bit_s = 1 / self.bits_per_s
        bit_j = self.radio.base_power_w * bit_s + joules_per_bit(self.radio, "inputs.radio")
        return costs_of(self.space, self.pricer, bit_s, bit_j)

    def memory_bytes(self, operations: Sequence[int], position: int) -> float:
        """Return the memory that the device's side of a design needs."""
        return needed_bytes(self.space, operations, position, bits_of(self.params.precision))


@estimates_as_remedies
def instance_of(problem: Problem[PrivynasParams]) -> PrivynasInstance:
    """Return the instance of a problem: network, search space, budgets and link.

    Raises:
        ProblemError: budgets that are not above 0, cuts that the network lacks, kernels that the space lacks, images that are not
            square or cannot be halved so often, larger batches than images, a radio without an uplink.
    """
    params, data = problem.params, image_data_of(problem)
    require(not data.is_signals, "inputs.data", data.title, "a data set of images")
    side = params.image_side or data.height
    square = params.image_side is not None or data.height == data.width
    require(
        square, "params.image_side", None, "given", reason=f"The images of {data.height} x {data.width} are not square."
    )
    require(
        params.kernel != "7" or params.space == "published",
        "params.kernel",
        params.kernel,
        "any, 3 or 5 in the small space",
    )
    count = data.examples["train"]
    require(
        params.batch_size <= count, "params.batch_size", params.batch_size, f"at most {count}, the number of images"
    )
    kernels = () if params.kernel == "any" else (int(params.kernel),)
    space = space_of(
        params.space, data.channels, side, len(data.classes), depth=params.depth, width=params.width, kernels=kernels
    )
    soc, radio, network = problem.value("hardware", Soc), problem.value("radio", Radio), every_operation(space)
    joules_per_bit(radio, "inputs.radio")
    covered = covered_networks(
        soc, problem.optional("calibration", SocCalibration), [network], params.unmeasured, params.precision
    )
    pricer = NetworkPricer(covered.soc, covered.calibration, params.unit, params.precision, params.power_mode or None)
    pricer.choose_unit([network])
    positions = _positions(params.positions, space.positions)
    most = needed_bytes(space, extreme(space, max), positions[-1], bits_of(params.precision))
    return PrivynasInstance(
        params, data, space, _epsilons(params.epsilons), positions, covered, pricer, radio,
        uplink_bits_per_s(radio, params.bandwidth_mbps, "params.bandwidth_mbps"),
        within_capacity(allowed_by(LIMITS, params), MEMORY, soc, most),
    )  # fmt: skip


def _epsilons(given: str) -> tuple[float, ...]:
    accepted = "1 to 16 numbers above 0, separated by spaces"
    found = _numbers(given, float, "params.epsilons", accepted)
    require(all(isfinite(each) and each > 0 for each in found), "params.epsilons", given, accepted)
    return found


def _positions(given: str, blocks: int) -> tuple[int, ...]:
    if not given.strip():
        return tuple(range(1, blocks + 1))
    accepted = f"whole numbers from 1 to {blocks}, the blocks of this network"
    found = _numbers(given, int, "params.positions", accepted, most=blocks)
    require(found[0] >= 1 and found[-1] <= blocks, "params.positions", given, accepted)
    return found


def _numbers(given: str, read: Callable[[str], N], field: str, accepted: str, most: int = 16) -> tuple[N, ...]:
    words: Sequence[str] = given.replace(",", " ").split()
    try:
        found = tuple(sorted({read(word) for word in words}))
    except ValueError:
        found = ()
    require(0 < len(found) <= most, field, given, accepted)
    return found
