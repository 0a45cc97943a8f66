"""Schema `soc/1`: what a document of a system on a chip may say. Units stand in the names, as in `chiplet-package/1`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from hardware.bits import FORMATS, is_bits_name
from hardware.sections import Section, Slug, SourcedHeader, Words, named, not_negative, positive

MAX_LINEAGE = 20

_PRECISION_PATTERN = f"^({'|'.join(FORMATS)}|w(1|1\\.58|2|3|4|5|6|8|16|32)a(4|8|16|32))$"
_ACCEPTED_PRECISIONS = f"{', '.join(FORMATS)}, or a pair of bits of weights and activations (w4a16)"


def is_precision(name: str) -> bool:
    """Return whether a compute unit can state a rate under a name: a format ("int8") or a pair ("w4a16"), without groups."""
    return name in FORMATS or (name.startswith("w") and "-" not in name and is_bits_name(name))


def _precision(name: str) -> str:
    if not is_precision(name):
        raise PydanticCustomError("precision", "one of {names}", {"names": _ACCEPTED_PRECISIONS})
    return name


def _by_precision(value: Any) -> Any:
    if not isinstance(value, Mapping):
        words = "given for each precision, such as {{int8: 26}}: a peak without its bits cannot be compared"
        raise PydanticCustomError("peaks", words)
    return value


Precision = Annotated[
    str, AfterValidator(_precision), WithJsonSchema({"type": "string", "pattern": _PRECISION_PATTERN})
]
Confidence = Literal["solid", "derived", "approx", "community"]
UnitKind = Literal["cpu", "gpu", "npu", "dsp", "mcu"]
# The kinds of `network/1`, which is of a layer above; a test compares. A misspelt kind would be one that no unit ever runs.
OperationKind = Literal[
    "conv", "depthwise", "transposed_conv", "gemm", "matmul", "batchnorm", "activation", "pool", "norm", "softmax", "eltwise",
    "concat", "reshape", "resize", "reduce", "gather", "topk", "embedding", "unpriced",
]  # fmt: skip
# The mappings of the dataflow cost model, likewise.
DataflowMapping = Literal["kcp_ws", "ykp_os", "ykp_os_rows", "ykp_os_kept", "yxp_os", "dpt"]
Name = Slug
Figure = Annotated[float, Field(gt=0, le=1e9)]
Power = Annotated[float, Field(ge=0, le=1e7)]
Peaks = Annotated[
    dict[Precision, Figure], BeforeValidator(_by_precision), Field(json_schema_extra={"additionalProperties": False})
]
Frequencies = Annotated[list[Annotated[float, Field(gt=0, le=1e5)]], Field(max_length=200)]


def _table(default: Any, description: str) -> Any:
    return Field(default=default, title="Clocks", description=description, json_schema_extra={"unit": "MHz"})


class PowerSection(Section):
    """Power by clock: idle + dynamic (f / highest) ** exponent."""

    idle_w: float = not_negative("Idle power", "W", "Power of the unit when it is clocked but idle.", 1e4)
    dynamic_w: float = not_negative("Dynamic power", "W", "Extra power of full load at the highest clock.", 1e4)
    exponent: Annotated[float, Field(ge=0, le=4)] = Field(
        title="Exponent", description="Exponent of the clock's share."
    )


class DataflowSection(Section):
    """An accelerator whose costs follow from its dataflow and its array, without any measurement."""

    mapping: DataflowMapping = Field(
        title="Dataflow", description="Loop order and what runs in parallel, by the names of the dataflow cost model."
    )
    processing_elements: Annotated[int, Field(ge=1, le=10_000_000)] = Field(
        title="Processing elements", description="PEs of the array; each does one multiply-accumulate per cycle."
    )
    bandwidth_elements_per_cycle: float = positive(
        "On-chip network", "elements/cycle", "Elements per cycle between the shared buffer and the array.", 1e6
    )
    mac_energy_pj: float = positive(
        "MAC energy", "pJ", "Energy of one multiply-accumulate. Accesses to buffers cost multiples of it.", 1e6
    )
    off_chip_bandwidth_elements_per_cycle: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None,
        title="Off-chip bandwidth",
        description="By MAESTRO's rule no step is shorter than fetching the first working set takes. Left out: no such limit.",
        json_schema_extra={"unit": "elements/cycle"},
    )


class UnitSection(Section):
    """One kind of processing unit; all figures are of one of `count`."""

    kind: UnitKind = Field(title="Kind", description="Kind of the compute unit.")
    title: Words | None = Field(default=None, title="Title", description="Name that the vendor uses.")
    count: Annotated[int, Field(ge=1, le=64)] = Field(default=1, title="Count", description="Identical units.")
    cores: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        default=None, title="Cores", description="Cores of one unit."
    )
    frequencies_mhz: Frequencies = _table(
        [], "Clocks that can be set, ascending. One alone: the highest known. None: no clock is known."
    )
    operations_per_cycle: Peaks = Field(
        default={},
        title="Operations per cycle",
        description="Precision -> operations of all cores; a multiply-accumulate is two.",
    )
    peak_tera_operations_per_s: Peaks = Field(
        default={},
        title="Peak",
        description="Precision -> dense peak, without sparsity, as published. It counts where no clock is known; else operations "
        "per cycle count.",
        json_schema_extra={"unit": "10^12/s"},
    )
    dense: Literal[True] | None = Field(
        default=None, title="Dense", description="Confirms peaks that look like figures with 2:4 sparsity."
    )
    unpack_operations_per_weight: Annotated[float, Field(ge=0, le=1e4)] | None = Field(
        default=None,
        title="Unpacking",
        description="Operations per weight in a pair of bits that the unit does not execute.",
        json_schema_extra={"unit": "operations/weight"},
    )
    vendor_claim: Words | None = Field(default=None, title="Vendor's claim", description="Number with its wording.")
    note: Words | None = Field(default=None, title="Note")
    on_chip_memory_kib: Figure | None = Field(
        default=None,
        title="On-chip memory",
        description="On-chip memory of one unit.",
        json_schema_extra={"unit": "KiB"},
    )
    power: PowerSection | None = Field(default=None, title="Power", description="Idle and dynamic power by clock.")
    supported_operations: list[OperationKind] | None = Field(
        default=None, title="Operations", description="Kinds that the unit runs itself; left out: all."
    )
    dataflow: DataflowSection | None = Field(
        default=None, title="Dataflow", description="Dataflow of an accelerator that the dataflow cost model estimates."
    )


class MemorySection(Section):
    """The DRAM that all units share."""

    type: Words | None = Field(default=None, title="Type", description="LPDDR5.")
    bus_bits: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        default=None, title="Bus", description="Width of all channels together.", json_schema_extra={"unit": "bit"}
    )
    frequencies_mhz: Annotated[Frequencies, Field(min_length=1)] | None = _table(
        None, "Clock of the memory, ascending; half the transfers per second of DDR memory."
    )
    bytes_per_cycle: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None,
        title="Bytes per cycle",
        description="Bytes of the whole bus, both edges counted.",
        json_schema_extra={"unit": "B/cycle"},
    )
    bandwidth_gb_per_s: Figure | None = Field(
        default=None,
        title="Bandwidth",
        description="Gigabytes a second at the highest clock. It counts where no clock is known.",
        json_schema_extra={"unit": "GB/s"},
    )
    capacities_gib: list[Figure] = Field(
        default=[],
        title="Capacities",
        description="Memory capacities that the device is sold with.",
        json_schema_extra={"unit": "GiB"},
    )
    power: PowerSection | None = Field(default=None, title="Power", description="Idle and dynamic power by clock.")
    access_energy_pj_per_byte: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        default=None,
        title="Access energy",
        description="Energy per access of data that one accelerator writes and another reads. Required with a dataflow.",
        json_schema_extra={"unit": "pJ/B"},
    )


class UnitLimitSection(Section):
    """The limits of a power mode on a unit."""

    active_cores: Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        default=None, title="Active cores", description="0: the unit is off; left out: all."
    )
    highest_frequency_mhz: Figure | None = Field(
        default=None,
        title="Highest clock",
        description="Highest clock that the mode allows. The device takes the nearest step of its table.",
        json_schema_extra={"unit": "MHz"},
    )
    further_highest_frequencies_mhz: Annotated[list[Figure], Field(max_length=63)] = Field(
        default=[],
        title="Highest clocks of the further units",
        description="One for each further unit of the kind, where the mode gives them other clocks than the first.",
        json_schema_extra={"unit": "MHz"},
    )


class PowerModeSection(Section):
    """A named set of limits."""

    is_default: bool = Field(default=False, title="Default", description="Whether devices start in it.")
    budget_w: Figure | None = Field(
        default=None, title="Budget", description="Power budget of the module.", json_schema_extra={"unit": "W"}
    )
    memory_highest_frequency_mhz: Figure | None = Field(
        default=None,
        title="Highest memory clock",
        description="Highest memory clock that the mode allows. The device takes the nearest step of its table.",
        json_schema_extra={"unit": "MHz"},
    )
    units: dict[Name, UnitLimitSection] = Field(default={}, title="Limits", description="Unit -> its limits.")
    other_clocks_mhz: dict[Name, Figure] = Field(
        default={},
        title="Other clocks",
        description="Highest clocks of parts that are no units, such as the control processor of a DLA. No estimate uses them.",
        json_schema_extra={"unit": "MHz"},
    )


class SocDocument(SourcedHeader):
    """A hardware document of schema `soc/1`."""

    schema_name: Literal["soc/1"] = named()
    lineage: Annotated[list[Slug], Field(max_length=MAX_LINEAGE)] = Field(
        default=[],
        title="Lineage",
        description="Slugs of the devices that this one was copied from, itself first: their calibrations count here, scaled by "
        "what differs. A copy keeps the list; leave it out where the device has nothing to do with another.",
    )
    aliases: Annotated[list[Slug], Field(max_length=20)] = Field(
        default=[], title="Other names", description="Slugs under which it is found as well."
    )
    vendor: Words | None = Field(default=None, title="Vendor")
    year: Annotated[int, Field(ge=1950, le=2100)] | None = Field(
        default=None, title="Year", description="Year of its release.", json_schema_extra={"unit": "year"}
    )
    price_usd: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None,
        title="Price",
        description="A number or a range, with what it buys.",
        json_schema_extra={"unit": "USD"},
    )
    power_range_w: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None, title="Power range", description="Modes that the vendor lists.", json_schema_extra={"unit": "W"}
    )
    process_node_nm: Figure | None = Field(default=None, title="Process node", json_schema_extra={"unit": "nm"})
    design_power_w: Figure | None = Field(
        default=None,
        title="Design power",
        description="Design power of the whole board.",
        json_schema_extra={"unit": "W"},
    )
    peak_tera_operations_per_s: Peaks = Field(
        default={},
        title="Peak",
        description="Peak of the whole device, as published.",
        json_schema_extra={"unit": "10^12/s"},
    )
    units: Annotated[dict[Name, UnitSection], Field(max_length=26)] = Field(
        default={}, title="Units", description="Name -> processing unit."
    )
    memory: MemorySection | None = Field(default=None, title="Memory", description="The shared DRAM.")
    power_modes: Annotated[dict[Name, PowerModeSection], Field(max_length=50)] = Field(
        default={}, title="Power modes", description="Name -> limits."
    )
    power_states_mw: dict[Name, Power] = Field(
        default={},
        title="Power states",
        description="State -> power of the whole device.",
        json_schema_extra={"unit": "mW"},
    )
    idle_rails_mw: dict[Name, Power] = Field(
        default={}, title="Idle rails", description="Supply rail -> power in idle.", json_schema_extra={"unit": "mW"}
    )
    not_published: Annotated[list[Words], Field(max_length=200)] = Field(
        default=[], title="Not published", description="Dotted keys of figures that were looked for without success."
    )
    confidence: dict[str, Confidence] = Field(
        default={},
        title="Confidence",
        description="Dotted key -> solid (read first-hand), derived (arithmetic), approx (secondary, or recalled) or community "
        "(measured by users). Keys cover figures as those of `sources` do.",
    )
