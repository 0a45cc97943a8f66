"""IP blocks that become chiplets, what connects them and what runs on them, in SI units but for areas (mm2) and lengths (mm)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Block:
    """An IP block.

    Attributes:
        seconds_per_byte: processing time per byte of its input or output, whichever is larger.
        power_w: while it is active.
        for_sale: whether it can be bought as a chiplet.
    """

    name: str
    title: str
    area_mm2: float
    process: str
    seconds_per_byte: float
    power_w: float
    for_sale: bool


@dataclass(frozen=True)
class Hub:
    """The interconnect chiplet; `area_mm2` with `ports` ports."""

    area_mm2: float
    ports: int
    process: str
    for_sale: bool


@dataclass(frozen=True)
class Channel:
    """Over the interposer.

    Attributes:
        hop_s: wire and multiplexer between neighbouring chiplets.
        wire_bits_per_s: largest bandwidth of a wire.
        serdes_cycles: at each end.
        wire_j_per_bit: energy per bit of one link between neighbours.
        serdes_j_per_bit: at each end.
        bump_mm2: area of a micro-bump.
        handshake_bumps: micro-bumps of a chiplet's hand-shake link.
    """

    length_mm: float
    hop_s: float
    wire_bits_per_s: float
    serdes_cycles: int
    wire_j_per_bit: float
    serdes_j_per_bit: float
    bump_mm2: float
    handshake_bumps: int


@dataclass(frozen=True)
class Router:
    """Router of the hub and the network interfaces: energies of a flit, and powers that are always drawn."""

    hz: float
    flit_bytes: int
    virtual_channels: int
    buffer_flits: int
    flit_j: float
    static_w: float
    interface_static_w: float


@dataclass(frozen=True)
class Memory:
    """Behind the block `block`."""

    block: str
    bytes_per_s: float
    latency_s: float
    j_per_bit: float


@dataclass(frozen=True)
class ApplicationChain:
    """Blocks that hand data on; `bytes_handed_on` of every block but the last, per frame."""

    blocks: tuple[str, ...]
    bytes_handed_on: tuple[float, ...]
    frames_per_s: float
    deadline_s: float

    @property
    def title(self) -> str:
        """Return the chain as the publication writes it: "VD-DC"."""
        return "-".join(self.blocks).upper()


@dataclass(frozen=True)
class Application:
    """Chains that are busy at the same time."""

    name: str
    title: str
    chains: tuple[ApplicationChain, ...]


@dataclass(frozen=True)
class ChipletSystem:
    """Everything of a document.

    Attributes:
        packet_bytes, subframe_bytes: pieces in which data move through memory and from block to block.
        sources: dotted key of a figure -> where it is from.
    """

    slug: str
    title: str
    blocks: Mapping[str, Block]
    hub: Hub
    channel: Channel
    router: Router
    memory: Memory
    packet_bytes: int
    subframe_bytes: int
    applications: Mapping[str, Application]
    sources: Mapping[str, str] = field(default_factory=dict)
