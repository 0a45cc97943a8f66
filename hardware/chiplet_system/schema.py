"""Schema `chiplet-system/1`: IP blocks that become chiplets, their interconnect, and the applications."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hardware.sections import Section, Slug, SourcedHeader, Words, named, not_negative, positive

Bytes = Annotated[float, Field(gt=0, le=1e12)]


class BlockSection(Section):
    """An IP block."""

    title: Words = Field(title="Title", description="Name for readers.")
    area_mm2: float = positive("Area", "mm²", "Area of the block as a die.", 1e6)
    process: Slug = Field(title="Process", description="A process of the document of silicon costs.")
    cycles_per_64_bytes: float = not_negative(
        "Cycles for 64 bytes",
        "cycles",
        "Cycles of the block's clock for 64 bytes of input or output, whichever is more.",
        1e6,
    )
    power_mw: float = not_negative("Power", "mW", "While it is active.", 1e6)
    for_sale: bool = Field(title="For sale", description="Whether it can be bought as a chiplet.")


class HubSection(Section):
    """The interconnect chiplet."""

    area_mm2: float = positive("Area", "mm²", "With as many ports as `ports`; others in proportion.", 1e6)
    ports: int = Field(ge=1, le=256, title="Ports", description="Number of ports with the stated area.")
    process: Slug = Field(title="Process", description="A process of the document of silicon costs.")
    for_sale: bool = Field(title="For sale", description="Whether it can be bought as a chiplet.")


class ClockSection(Section):
    """Clocks."""

    router_mhz: float = positive("Routers", "MHz", "And network interfaces.", 1e5)
    block_mhz: float = positive("Blocks", "MHz", "All IP blocks.", 1e5)


class ChannelSection(Section):
    """Channels over the interposer."""

    length_mm: float = positive("Length", "mm", "Between neighbouring chiplets.", 1e3)
    delay_ps_per_mm: float = not_negative("Delay", "ps/mm", "Delay of the wire.", 1e6)
    multiplexer_delay_ps: float = not_negative("Delay of a multiplexer", "ps", "At every chiplet that is passed.", 1e6)
    wire_gbit_per_s: float = positive("Wire", "Gbit/s", "Largest data rate of one wire.", 1e4)
    serdes_cycles: int = Field(ge=0, le=100, title="SerDes", description="Cycles of the router at each end.")
    wire_pj_per_bit_per_mm: float = not_negative("Wire energy", "pJ/bit/mm", "Energy of a wire on the interposer.", 1e6)
    serdes_pj_per_bit: float = not_negative("SerDes energy", "pJ/bit", "At each end.", 1e6)
    bump_pitch_um: float = positive("Pitch of micro-bumps", "um", "A port takes the area of its micro-bumps.", 1e4)
    handshake_bumps: int = Field(
        ge=0, le=100, title="Handshake", description="Micro-bumps of a chiplet's hand-shake link."
    )


class RouterSection(Section):
    """Routers of the hub, and network interfaces."""

    flit_bytes: int = Field(ge=1, le=4096, title="Flit", description="Bytes that cross a router in a cycle.")
    virtual_channels: int = Field(ge=1, le=64, title="Virtual channels", description="Virtual channels of every port.")
    buffer_flits: int = Field(ge=1, le=1024, title="Buffer", description="Flits of a virtual channel.")
    buffer_pj_per_flit: float = not_negative("Buffer energy", "pJ/flit", "A flit through a router's buffer.", 1e6)
    crossbar_pj_per_flit: float = not_negative("Crossbar energy", "pJ/flit", "A flit through a router's crossbar.", 1e6)
    router_static_mw: float = not_negative("Router, always", "mW", "Static power of one router.", 1e6)
    interface_static_mw: float = not_negative(
        "Network interface, always", "mW", "Static power of one chiplet's interface.", 1e6
    )


class MemorySection(Section):
    """The memory behind a memory controller."""

    block: Slug = Field(title="Memory controller", description="The block through which memory is reached.")
    bandwidth_gb_per_s: float = positive("Bandwidth", "GB/s", "Reads and writes together.", 1e6)
    latency_ns: float = not_negative("Latency", "ns", "Latency of one access.", 1e9)
    energy_pj_per_bit: float = not_negative("Energy", "pJ/bit", "Energy of one access.", 1e6)


class TransferSection(Section):
    """In which pieces data move."""

    packet_bytes: int = Field(ge=1, le=65536, title="Packet", description="Size of a memory request or reply.")
    subframe_bytes: int = Field(ge=1, le=1_000_000, title="Subframe", description="Handed on from block to block.")


class ChainSection(Section):
    """Blocks that hand data on, one to the next."""

    blocks: Annotated[list[Slug], Field(min_length=2, max_length=30)] = Field(
        title="Blocks", description="In the order of the data; no block twice."
    )
    bytes_handed_on: Annotated[list[Bytes], Field(min_length=1, max_length=29)] = Field(
        title="Bytes handed on", description="Bytes of a frame that every block but the last passes on."
    )
    frames_per_s: float = positive("Frames", "1/s", "Frame rate that the application requires.", 1e6)
    deadline_ms: float = positive("Deadline", "ms", "Deadline of a frame.", 1e7)


class ApplicationSection(Section):
    """Chains that are busy at the same time."""

    title: Words = Field(title="Title", description="Name for readers.")
    chains: Annotated[dict[Slug, ChainSection], Field(min_length=1, max_length=50)] = Field(
        title="Chains", description="Name -> chain; all are busy at the same time."
    )


class ChipletSystemDocument(SourcedHeader):
    """A hardware document of schema `chiplet-system/1`."""

    schema_name: Literal["chiplet-system/1"] = named()
    blocks: Annotated[dict[Slug, BlockSection], Field(min_length=2, max_length=128)] = Field(
        title="Blocks", description="Name -> IP block."
    )
    hub: HubSection = Field(title="Hub", description="The interconnect chiplet.")
    clocks: ClockSection = Field(title="Clocks", description="Clocks of routers and blocks.")
    channel: ChannelSection = Field(title="Channels", description="Over the interposer.")
    router: RouterSection = Field(title="Routers", description="Routers of the hub, and network interfaces.")
    memory: MemorySection = Field(title="Memory", description="Behind its controller.")
    transfers: TransferSection = Field(title="Transfers", description="In which pieces data move.")
    applications: Annotated[dict[Slug, ApplicationSection], Field(min_length=1, max_length=100)] = Field(
        title="Applications", description="Name -> chains of blocks."
    )
