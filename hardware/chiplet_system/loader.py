"""Reads hardware documents of schema `chiplet-system/1` into `ChipletSystem`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hardware.chiplet_system.model import (
    Application,
    ApplicationChain,
    Block,
    Channel,
    ChipletSystem,
    Hub,
    Memory,
    Router,
)
from hardware.chiplet_system.schema import ChainSection, ChannelSection, ChipletSystemDocument, RouterSection
from hardware.document_reader import contents_of, document_loader, sources_of_figures, validated
from hardware.errors import HardwareError

SYSTEMS = Path(__file__).parent / "builtin"
_FIGURE_SECTIONS = ("blocks", "hub", "clocks", "channel", "router", "memory", "transfers", "applications")
_PJ, _MHZ, _MW = 1e-12, 1e6, 1e-3


def builtin_chiplet_systems() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every system that ships with the product; read once per process."""
    return contents_of(SYSTEMS)


@document_loader
def load_chiplet_system(content: Mapping[str, Any], file: str) -> ChipletSystem:
    """Return the system that a document describes."""
    document = validated(ChipletSystemDocument, content, file)
    if document.memory.block not in document.blocks:
        raise HardwareError(file, "memory.block", document.memory.block, _one_of(document.blocks))
    block_hz = document.clocks.block_mhz * _MHZ
    return ChipletSystem(
        slug=document.slug,
        title=document.title,
        blocks={
            name: Block(
                name, each.title, each.area_mm2, each.process, each.cycles_per_64_bytes / 64 / block_hz,
                each.power_mw * _MW, each.for_sale,
            )
            for name, each in document.blocks.items()
        },
        hub=Hub(document.hub.area_mm2, document.hub.ports, document.hub.process, document.hub.for_sale),
        channel=_channel(document.channel),
        router=_router(document.router, document.clocks.router_mhz * _MHZ),
        memory=Memory(
            document.memory.block, document.memory.bandwidth_gb_per_s * 1e9, document.memory.latency_ns * 1e-9,
            document.memory.energy_pj_per_bit * _PJ,
        ),
        packet_bytes=document.transfers.packet_bytes,
        subframe_bytes=document.transfers.subframe_bytes,
        applications={
            name: Application(
                name,
                each.title,
                tuple(
                    _chain(chain, document.blocks, f"applications.{name}.chains.{own}", file)
                    for own, chain in each.chains.items()
                ),
            )
            for name, each in document.applications.items()
        },
        sources=sources_of_figures(document.sources, content, _FIGURE_SECTIONS, file),
    )  # fmt: skip


def _channel(section: ChannelSection) -> Channel:
    return Channel(
        length_mm=section.length_mm,
        hop_s=(section.length_mm * section.delay_ps_per_mm + section.multiplexer_delay_ps) * 1e-12,
        wire_bits_per_s=section.wire_gbit_per_s * 1e9,
        serdes_cycles=section.serdes_cycles,
        wire_j_per_bit=section.wire_pj_per_bit_per_mm * section.length_mm * _PJ,
        serdes_j_per_bit=section.serdes_pj_per_bit * _PJ,
        bump_mm2=(section.bump_pitch_um / 1e3) ** 2,
        handshake_bumps=section.handshake_bumps,
    )


def _router(section: RouterSection, hz: float) -> Router:
    flit_j = (section.buffer_pj_per_flit + section.crossbar_pj_per_flit) * _PJ
    return Router(
        hz, section.flit_bytes, section.virtual_channels, section.buffer_flits, flit_j, section.router_static_mw * _MW,
        section.interface_static_mw * _MW,
    )  # fmt: skip


def _chain(section: ChainSection, blocks: Collection[str], key: str, file: str) -> ApplicationChain:
    """Return a chain whose blocks exist and stand in it once.

    Raises:
        HardwareError: names the block.
    """
    for number, name in enumerate(section.blocks):
        if name not in blocks:
            raise HardwareError(file, f"{key}.blocks.{number}", name, _one_of(blocks))
        if name in section.blocks[:number]:
            reason = "A chain has no loops."
            accepted = "a block that occurs once in the chain"
            raise HardwareError(file, f"{key}.blocks.{number}", name, accepted, reason=reason)
    if len(section.bytes_handed_on) != len(section.blocks) - 1:
        accepted = f"{len(section.blocks) - 1} numbers, one for each block but the last"
        raise HardwareError(file, f"{key}.bytes_handed_on", section.bytes_handed_on, accepted)
    return ApplicationChain(
        tuple(section.blocks), tuple(section.bytes_handed_on), section.frames_per_s, section.deadline_ms / 1e3
    )


def _one_of(blocks: Collection[str]) -> str:
    return f"one of the blocks: {', '.join(blocks)}"
