"""Schema `chiplet-package/1`: the keys and values of a chiplet package document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hardware.sections import Section, SourcedHeader, named, not_negative, positive

SCHEMA = "chiplet-package/1"
MAX_MESH = 16
SIDES = ("left", "right", "top", "bottom")

Side = Literal["left", "right", "top", "bottom"]
Dataflow = Literal["nvdla", "shi-diannao"]
MeshSize = Annotated[int, Field(ge=1, le=MAX_MESH)]


class PackageSection(Section):
    """The mesh and which class of chiplet sits where."""

    rows: MeshSize = Field(title="Rows", description="Chiplet rows of the mesh.")
    columns: MeshSize = Field(title="Columns", description="Chiplet columns of the mesh.")
    layout: list[str | list[str]] = Field(
        title="Layout",
        description="One line per row, from the top: names of chiplet classes, apart by spaces, or letters without.",
    )


class ChipletSection(Section):
    """One class of chiplet (odema-2024 Def. 4.2)."""

    dataflow: Dataflow = Field(title="Dataflow", description="Which loops run over the processing elements.")
    processing_elements: Annotated[int, Field(ge=16, le=1_048_576)] = Field(
        title="Processing elements", description="Multiply-accumulate units of one chiplet."
    )
    noc_bandwidth_elements_per_cycle: float = positive(
        "On-chip network", "elements/cycle", "Elements per cycle between the shared buffer and the PEs.", 1e6
    )
    noc_hop_latency_cycles: float = not_negative("On-chip hop latency", "cycles", "Cycles per hop on the chiplet.", 1e4)
    buffer_mib: float = positive("Shared buffer", "MiB", "Level-2 memory that all PEs of a chiplet share.", 65_536)


class NetworkOnPackageSection(Section):
    """Links between neighbouring chiplets, XY routed."""

    bandwidth_gb_per_s: float = positive("Link bandwidth", "GB/s", "Per link and direction.", 1e6)
    hop_latency_ns: float = not_negative("Link latency", "ns", "Per hop.", 1e6)
    energy_pj_per_bit_per_hop: float = not_negative("Link energy", "pJ/bit", "Per bit and hop.", 1e4)


class OffChipMemorySection(Section):
    """DRAM behind the interfaces at sides of the package."""

    bandwidth_gb_per_s_per_interface: float = positive(
        "Memory bandwidth", "GB/s", "Bandwidth of one memory interface.", 1e6
    )
    latency_ns: float = not_negative("Memory latency", "ns", "Latency of one access.", 1e6)
    energy_pj_per_bit: float = not_negative("Memory energy", "pJ/bit", "Per bit read or written.", 1e4)
    interface_sides: Annotated[list[Side], Field(min_length=1, max_length=4)] = Field(
        title="Interfaces", description="Every chiplet at such a side has an interface of its own."
    )
    capacity_gib: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None,
        title="Memory capacity",
        description="Capacity of the memory behind all interfaces together. Left out: unknown, and networks of any "
        "size are accepted.",
        json_schema_extra={"unit": "GiB"},
    )


class ArithmeticSection(Section):
    """Energy of one multiply-accumulate and of buffer accesses relative to it."""

    mac_energy_pj: float = positive("MAC energy", "pJ", "Energy of one multiply-accumulate.", 1e6)
    level1_access_energy_macs: float = not_negative("L1 access", "MACs", "One element of a PE's own memory.", 1e6)
    level2_access_energy_macs: float = not_negative("L2 access", "MACs", "One element of the shared buffer.", 1e6)


class PackageDocument(SourcedHeader):
    """A hardware document of schema `chiplet-package/1`."""

    schema_name: Literal["chiplet-package/1"] = named()
    package: PackageSection
    chiplets: Annotated[dict[str, ChipletSection], Field(min_length=1, max_length=26)] = Field(
        title="Chiplet classes", description="Name or letter used in the layout -> the class."
    )
    network_on_package: NetworkOnPackageSection
    off_chip_memory: OffChipMemorySection
    arithmetic: ArithmeticSection
    clock_mhz: float = positive("Clock", "MHz", "Clock of all chiplets.", 1e5)
    process_node_nm: float = positive("Process node", "nm", "Process node of all values, after scaling.", 1000)
    word_bytes: Annotated[int, Field(ge=1, le=8)] = Field(
        title="Word", description="Bytes of one element: 1 is int8.", json_schema_extra={"unit": "B"}
    )
