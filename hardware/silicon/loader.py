"""Reads hardware documents of schema `silicon-cost/1` into `SiliconCosts`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.document_reader import contents_of, document_loader, sources_of_figures, validated
from hardware.errors import HardwareError
from hardware.silicon.model import Effort, Interposer, Process, SiliconCosts, per_mm2
from hardware.silicon.schema import EffortSection, SiliconCostDocument

COSTS = Path(__file__).parent / "builtin"
FIGURE_SECTIONS = ("wafer", "processes", "interposer", "defects", "design", "assembly", "test")
# From 0.001 to 10 per cm2: mature and very young processes lie between.
_LEAST_PER_M2, _MOST_PER_M2 = 10.0, 1e5
_OTHER_UNITS = (("cm²", 1e4), ("mm²", 1e6))


def builtin_silicon_costs() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every document that ships with the product; read once per process."""
    return contents_of(COSTS)


@document_loader
def load_silicon_costs(content: Mapping[str, Any], file: str) -> SiliconCosts:
    """Return the costs that a document describes."""
    document = validated(SiliconCostDocument, content, file)
    for name, section in document.processes.items():
        _require_density(section.defects_per_m2, f"processes.{name}.defects_per_m2", file)
    _require_density(document.interposer.defects_per_m2, "interposer.defects_per_m2", file)
    design, assembly, test, interposer = document.design, document.assembly, document.test, document.interposer
    return SiliconCosts(
        slug=document.slug,
        title=document.title,
        wafer_diameter_mm=document.wafer.diameter_mm,
        reticle_mm=(document.wafer.reticle_width_mm, document.wafer.reticle_height_mm),
        processes={
            name: Process(
                each.wafer_usd, each.mask_set_usd, per_mm2(each.defects_per_m2), each.critical_percent / 100, each.gates_per_mm2
            )
            for name, each in document.processes.items()
        },
        interposer=Interposer(
            interposer.wafer_usd, per_mm2(interposer.defects_per_m2), interposer.critical_percent / 100,
            interposer.area_overhead_percent / 100,
        ),
        clustering=document.defects.clustering,
        new_block=_effort(design.new_block),
        reused_block=_effort(design.reused_block),
        new_chiplet=_effort(design.new_chiplet),
        top_level_gates=design.top_level_gates,
        licence_usd=design.licence_usd,
        verification_share=design.verification_percent / 100,
        chiplet_masks=design.chiplet_masks,
        bonding_usd=assembly.bonding_usd,
        bond_yield=assembly.bond_yield_percent / 100,
        chiplet_area_overhead=assembly.chiplet_area_overhead_percent / 100,
        die_test_usd_per_mm2=test.die_usd_per_mm2,
        interposer_test_usd_per_mm2=test.interposer_usd_per_mm2,
        interposer_test_usd=test.interposer_usd,
        probing_usd=test.probing_usd,
        sources=sources_of_figures(document.sources, content, FIGURE_SECTIONS, file),
    )  # fmt: skip


def _effort(section: EffortSection) -> Effort:
    return Effort(
        section.front_end_labour_usd_per_gate + section.front_end_tools_usd_per_gate,
        section.back_end_labour_usd_per_gate + section.back_end_tools_usd_per_gate,
    )


def _require_density(per_m2: float, key: str, file: str) -> None:
    """Refuse a density that no process has, and say in which unit it would be one.

    Raises:
        HardwareError: outside of what is plausible.
    """
    if _LEAST_PER_M2 <= per_m2 <= _MOST_PER_M2:
        return
    accepted = f"from {_LEAST_PER_M2:g} to {_MOST_PER_M2:g} defects per m²"
    # A figure that is too small was given per smaller area; one that is too large was multiplied on the way.
    others = [(unit, per_m2 * factor) for unit, factor in _OTHER_UNITS]
    meant = [f"{value:g} if it was per {unit}" for unit, value in others if _LEAST_PER_M2 <= value <= _MOST_PER_M2]
    reason = ""
    if meant:
        reason = f"The density would be {' and '.join(meant)}."
    elif per_m2 > _MOST_PER_M2:
        reason = "Multiply a density per cm² by 10,000, and one per mm² by 1,000,000."
    raise HardwareError(file, key, per_m2, accepted, remedies=[reason] if reason else [])
