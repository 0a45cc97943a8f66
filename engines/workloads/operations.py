"""Rows of a network document as `Operation`s: what was left out is computed, what was given is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.workloads.errors import WorkloadError
from engines.workloads.network import COMPUTE_KINDS, Operation
from engines.workloads.schema import OperationSection

# Sums over layers, batches and energies stay exact in 64-bit integers and doubles.
MAX_MACS = 10**13


_PRODUCTS = ("gemm", "matmul")


@dataclass(frozen=True)
class _Axis:
    """One direction of a compute operation: `size` of the input, `kernel` with its `dilation`, zeros of both sides."""

    size: int
    kernel: int
    stride: int
    dilation: int
    padding: int
    output_padding: int

    @property
    def reach(self) -> int:
        """Inputs from the first to the last that one output of a convolution sees."""
        return self.dilation * (self.kernel - 1) + 1

    @property
    def outputs(self) -> int:
        """Return the outputs of a convolution."""
        return (self.size + self.padding - self.reach) // self.stride + 1

    @property
    def transposed_outputs(self) -> int:
        """Return the outputs of a transposed convolution, where padding takes outputs away."""
        return (self.size - 1) * self.stride + self.reach - self.padding + self.output_padding

    def scheduled_padding(self, stride: int) -> int:
        """Return the padding with which an undilated kernel of this `stride` gives as many outputs."""
        return (self.outputs - 1) * stride + self.kernel - self.size


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
    """Return the operation in row `index`.

    Raises:
        WorkloadError: dimensions that no operation of that kind can have, or figures that contradict them.
    """
    if section.kind != "unpriced" and (section.operator is not None or section.excluded):
        field = "operator" if section.operator is not None else "excluded"
        raise WorkloadError(
            f"operations.{index}.{field}", getattr(section, field), "left out for every kind except unpriced"
        )
    axes = _axes(index, section)
    if section.kind not in COMPUTE_KINDS:
        return _folded(index, section)
    _check_dimensions(index, section, axes)
    derived = _derive(section, axes)
    _check_given(index, section, derived)
    given = section.weight_elements
    return Operation(
        **_dimensions(index, section, axes),
        oy=derived.oy,
        ox=derived.ox,
        macs=derived.macs,
        weight_elements=derived.kernel_elements if given is None else given,
        input_elements=derived.input_elements,
        output_elements=derived.output_elements,
    )


def _axes(index: int, section: OperationSection) -> tuple[_Axis, _Axis]:
    """Return the height and width."""
    padding, output_padding = _padding(index, section), _pair(index, section, "output_pad")
    stride, dilation = _pair(index, section, "stride"), _pair(index, section, "dilation")
    sizes, kernels = (section.y, section.x), (section.r, section.s)
    height, width = map(_Axis, sizes, kernels, stride, dilation, padding, output_padding)
    return height, width


def _padding(index: int, section: OperationSection) -> tuple[int, int]:
    """Return the zeros above and below together, left and right together."""
    pad = section.pad
    if isinstance(pad, int):
        return 2 * pad, 2 * pad
    if len(pad) == 2:
        return 2 * pad[0], 2 * pad[1]
    if len(pad) == 4:
        return pad[0] + pad[1], pad[2] + pad[3]
    accepted = "one number, two for height and width, or four for top, bottom, left, right"
    raise WorkloadError(f"operations.{index}.pad", pad, accepted)


def _pair(index: int, section: OperationSection, name: str) -> tuple[int, int]:
    value = getattr(section, name)
    if isinstance(value, int):
        return value, value
    if len(value) == 2:
        return value[0], value[1]
    raise WorkloadError(f"operations.{index}.{name}", value, "one number, or two for height and width")


def _dimensions(index: int, section: OperationSection, axes: tuple[_Axis, _Axis]) -> dict[str, Any]:
    height, width = axes
    stride = max(height.stride, width.stride)
    if section.kind == "transposed_conv":
        padding = (0, 0)
    elif height.stride == width.stride and height.dilation == width.dilation == 1:
        padding = (height.padding, width.padding)
    else:
        padding = (height.scheduled_padding(stride), width.scheduled_padding(stride))
    own = {"stride": stride, "padding_y": padding[0], "padding_x": padding[1], "groups": _groups(section)}
    names = ("name", "kind", "k", "c", "r", "s", "y", "x", "repeats")
    return {"index": index, **own, **{name: getattr(section, name) for name in names}}


def _groups(section: OperationSection) -> int:
    if section.groups is not None:
        return section.groups
    return section.c if section.kind == "depthwise" else 1


def _folded(index: int, section: OperationSection) -> Operation:
    if section.macs:
        kinds = ", ".join(COMPUTE_KINDS)
        raise WorkloadError(f"operations.{index}.macs", section.macs, f"0, as only {kinds} multiply and accumulate")
    if section.kind == "unpriced" and section.operator is None:
        raise WorkloadError(f"operations.{index}.operator", None, "the name of the operator that no cost model knows")
    names = ("name", "kind", "k", "c", "r", "s", "y", "x", "repeats", "excluded")
    return Operation(
        **{name: getattr(section, name) for name in names},
        index=index,
        operator=section.operator or "",
        stride=1,
        padding_y=0,
        padding_x=0,
        groups=_groups(section),
        oy=1,
        ox=1,
        macs=0,
        weight_elements=section.weight_elements or 0,
        # 0 says "unknown": grouping then takes what the layer before gives out.
        input_elements=section.input_elements or 0,
        output_elements=section.output_elements or section.input_elements or 0,
    )


def _derive(section: OperationSection, axes: tuple[_Axis, _Axis]) -> _Derived:
    k, c, repeats = section.k, section.c, section.repeats
    height, width = axes
    kernel = k * (c // _groups(section)) * section.r * section.s
    inputs = c * section.y * section.x * repeats
    if _computes_kernel(section, kernel):
        inputs += kernel  # read with each sample
    if section.kind == "transposed_conv":
        oy, ox = height.transposed_outputs, width.transposed_outputs
        # Every input element meets every weight of its group once.
        macs = kernel * section.y * section.x * repeats
    else:
        oy, ox = height.outputs, width.outputs
        macs = kernel * oy * ox * repeats
    outputs = k * oy * ox * repeats
    if section.kind == "matmul":
        return _Derived(oy, ox, macs, 0, inputs + c * k * repeats, outputs)
    return _Derived(oy, ox, macs, kernel, inputs, outputs)


def _computes_kernel(section: OperationSection, kernel: int) -> bool:
    """Return whether the kernel of a convolution is no weight: computed for each sample, with a bias or without."""
    weights = section.weight_elements
    return section.kind not in _PRODUCTS and weights in (0, section.k) and weights != kernel


def _check_dimensions(index: int, section: OperationSection, axes: tuple[_Axis, _Axis]) -> None:
    def require(condition: bool, name: str, accepted: str) -> None:
        if not condition:
            raise WorkloadError(f"operations.{index}.{name}", getattr(section, name), f"{accepted} ({section.name})")

    groups, product = _groups(section), section.kind in _PRODUCTS
    for axis, name, word in zip(axes, ("r", "s"), ("height", "width"), strict=True):
        if section.kind == "transposed_conv":
            require(axis.transposed_outputs >= 1, "pad", f"so small that an output is left ({word})")
        else:
            reach = f", dilated {axis.reach}," if axis.dilation > 1 else ""
            inside = axis.reach <= axis.size + axis.padding
            require(inside, name, f"{reach} at most the padded input {word} {axis.size + axis.padding}".strip(", "))
            require(axis.output_padding == 0, "output_pad", f"0 for a {section.kind}")
    require(section.k % groups == 0, "groups", f"a divisor of the output channels {section.k}")
    require(section.c % groups == 0, "groups", f"a divisor of the input channels {section.c}")
    if product:
        for name in ("r", "s", "x", "stride", "dilation"):
            require(getattr(section, name) == 1, name, f"1 for a {section.kind}")
        require(groups == 1, "groups", f"1 for a {section.kind}")
        require(not (axes[0].padding or axes[1].padding), "pad", f"0 for a {section.kind}")
    if section.kind == "depthwise":
        require(groups == section.c, "groups", f"the number of channels {section.c} for a depthwise convolution")


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
    if weights not in (None, kernel, kernel + section.k) and not _computes_kernel(section, kernel):
        accepted = f"{kernel}, or {kernel + section.k} with bias, as the dimensions of {section.name} say"
        accepted += ", or 0 for a kernel that is computed for each sample" if section.kind not in _PRODUCTS else ""
        raise WorkloadError(f"operations.{index}.weight_elements", weights, accepted)
