"""Rows of a network document as `Operation`s: what was left out is computed, what was given is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.workloads.errors import WorkloadError
from engines.workloads.network import COMPUTE_KINDS, Operation
from engines.workloads.schema import OperationSection

# Sums over layers, batches and energies stay exact in 64-bit integers and doubles.
MAX_MACS = 10**13


@dataclass(frozen=True)
class _Derived:
    """Figures that follow from the dimensions of a compute operation."""

    oy: int
    ox: int
    macs: int
    kernel_elements: int
    input_elements: int
    output_elements: int


def to_operation(index: int, section: OperationSection) -> Operation:
    """The operation in row `index`.

    Raises:
        WorkloadError: dimensions that no operation of that kind can have, or figures that contradict them.
    """
    padding_y, padding_x = _padding(index, section.pad)
    if section.kind not in COMPUTE_KINDS:
        return _folded(index, section, padding_y, padding_x)
    _check_dimensions(index, section, padding_y, padding_x)
    derived = _derive(section, padding_y, padding_x)
    _check_given(index, section, derived)
    given = section.weight_elements
    return Operation(
        **_dimensions(index, section, padding_y, padding_x),
        oy=derived.oy,
        ox=derived.ox,
        macs=derived.macs,
        weight_elements=derived.kernel_elements if given is None else given,
        input_elements=derived.input_elements,
        output_elements=derived.output_elements,
    )


def _padding(index: int, pad: int | list[int]) -> tuple[int, int]:
    """Zeros above and below together, left and right together."""
    if isinstance(pad, int):
        return 2 * pad, 2 * pad
    if len(pad) == 2:
        return 2 * pad[0], 2 * pad[1]
    if len(pad) == 4:
        return pad[0] + pad[1], pad[2] + pad[3]
    accepted = "one number, two for height and width, or four for top, bottom, left, right"
    raise WorkloadError(f"operations.{index}.pad", pad, accepted)


def _dimensions(index: int, section: OperationSection, padding_y: int, padding_x: int) -> dict[str, Any]:
    names = ("name", "kind", "k", "c", "r", "s", "y", "x", "stride", "repeats")
    own = {name: getattr(section, name) for name in names}
    return {"index": index, "padding_y": padding_y, "padding_x": padding_x, "groups": _groups(section), **own}


def _groups(section: OperationSection) -> int:
    if section.groups is not None:
        return section.groups
    return section.c if section.kind == "depthwise" else 1


def _folded(index: int, section: OperationSection, padding_y: int, padding_x: int) -> Operation:
    if section.macs:
        kinds = ", ".join(COMPUTE_KINDS)
        raise WorkloadError(f"operations.{index}.macs", section.macs, f"0, as only {kinds} multiply and accumulate")
    return Operation(
        **_dimensions(index, section, padding_y, padding_x),
        oy=1,
        ox=1,
        macs=0,
        weight_elements=section.weight_elements or 0,
        # 0 says "unknown": grouping then takes what the layer before gives out.
        input_elements=section.input_elements or 0,
        output_elements=section.output_elements or section.input_elements or 0,
    )


def _derive(section: OperationSection, padding_y: int, padding_x: int) -> _Derived:
    k, c, groups, repeats = section.k, section.c, _groups(section), section.repeats
    kernel = k * (c // groups) * section.r * section.s
    inputs = c * section.y * section.x * repeats
    if section.kind == "transposed_conv":
        oy = (section.y - 1) * section.stride + section.r
        ox = (section.x - 1) * section.stride + section.s
        # Every input element meets every weight of its group once.
        macs = kernel * section.y * section.x * repeats
    else:
        oy = (section.y + padding_y - section.r) // section.stride + 1
        ox = (section.x + padding_x - section.s) // section.stride + 1
        macs = kernel * oy * ox * repeats
    outputs = k * oy * ox * repeats
    if section.kind == "matmul":
        return _Derived(oy, ox, macs, 0, inputs + c * k * repeats, outputs)
    return _Derived(oy, ox, macs, kernel, inputs, outputs)


def _check_dimensions(index: int, section: OperationSection, padding_y: int, padding_x: int) -> None:
    def require(condition: bool, name: str, accepted: str) -> None:
        if not condition:
            raise WorkloadError(f"operations.{index}.{name}", getattr(section, name), f"{accepted} ({section.name})")

    groups = _groups(section)
    require(section.r <= section.y + padding_y, "r", f"at most the padded input height {section.y + padding_y}")
    require(section.s <= section.x + padding_x, "s", f"at most the padded input width {section.x + padding_x}")
    require(section.k % groups == 0, "groups", f"a divisor of the output channels {section.k}")
    require(section.c % groups == 0, "groups", f"a divisor of the input channels {section.c}")
    if section.kind in ("gemm", "matmul"):
        for name in ("r", "s", "x", "stride"):
            require(getattr(section, name) == 1, name, f"1 for a {section.kind}")
        require(groups == 1, "groups", f"1 for a {section.kind}")
        require(not (padding_y or padding_x), "pad", f"0 for a {section.kind}")
    if section.kind == "depthwise":
        require(groups == section.c, "groups", f"the number of channels {section.c} for a depthwise convolution")
    if section.kind == "transposed_conv":
        # Then it is exactly a 1x1 convolution to k*r*s channels; others would overlap outputs, which no cost model here has.
        require(
            section.r == section.s == section.stride,
            "stride",
            f"the kernel size {section.r} for a transposed convolution",
        )
        require(not (padding_y or padding_x) and groups == 1, "pad", "0, and groups 1, for a transposed convolution")


def _check_given(index: int, section: OperationSection, derived: _Derived) -> None:
    if derived.macs > MAX_MACS:
        raise WorkloadError(
            f"operations.{index}", derived.macs, f"at most {MAX_MACS} multiply-accumulates ({section.name})"
        )
    for name in ("macs", "input_elements", "output_elements"):
        given, computed = getattr(section, name), getattr(derived, name)
        if given is not None and given != computed:
            raise WorkloadError(
                f"operations.{index}.{name}", given, f"{computed}, as the dimensions of {section.name} say"
            )
    weights, kernel = section.weight_elements, derived.kernel_elements
    if weights is not None and weights not in (kernel, kernel + section.k):
        accepted = f"{kernel}, or {kernel + section.k} with bias, as the dimensions of {section.name} say"
        raise WorkloadError(f"operations.{index}.weight_elements", weights, accepted)
