"""Schema `silicon-cost/1`: the keys and values of a silicon cost document. Units are part of key names."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from hardware.sections import Section, Slug, SourcedHeader, named, not_negative, positive

_MOST_USD = 1e9
# Wide on purpose: the loader says of a density outside of what is plausible which unit was meant.
_MOST_DEFECTS = 1e15


def _percent(title: str, description: str) -> Any:
    return Field(gt=0, le=100, title=title, description=description, json_schema_extra={"unit": "%"})


class WaferSection(Section):
    """The common parts of all wafers."""

    diameter_mm: float = positive("Diameter", "mm", "Diameter of every wafer.", 1000)
    reticle_width_mm: float = positive("Width of the reticle", "mm", "A die that is larger cannot be exposed.", 500)
    reticle_height_mm: float = positive("Height of the reticle", "mm", "A die that is larger cannot be exposed.", 500)


class ProcessSection(Section):
    """A process in which dies are made."""

    wafer_usd: float = positive("Wafer", "USD", "A processed wafer.", _MOST_USD)
    mask_set_usd: float = positive("Mask set", "USD", "A full set of masks.", _MOST_USD)
    defects_per_m2: float = positive("Defect density", "1/m²", "Defects per square metre.", _MOST_DEFECTS)
    critical_percent: float = _percent("Critical area", "Share of a die in which a defect counts.")
    gates_per_mm2: float = positive("Gate density", "1/mm²", "Gates of logic in a square millimetre.", 1e9)


class InterposerSection(Section):
    """The interposer that carries the chiplets."""

    wafer_usd: float = positive("Wafer", "USD", "A processed wafer, with vias and bumps.", _MOST_USD)
    defects_per_m2: float = positive("Defect density", "1/m²", "Defects per square metre.", _MOST_DEFECTS)
    critical_percent: float = _percent("Critical area", "Share of the interposer in which a defect counts.")
    area_overhead_percent: float = not_negative("Area overhead", "%", "On top of the area of all chiplets.", 1000)


class YieldSection(Section):
    """How defects gather."""

    clustering: float = positive("Clustering", "", "Alpha of the negative binomial yield; small: in clusters.", 1000)


class EffortSection(Section):
    """The cost of designing one gate."""

    front_end_labour_usd_per_gate: float = not_negative("Front end, labour", "USD per gate", "Up to the netlist.", 1e3)
    front_end_tools_usd_per_gate: float = not_negative("Front end, tools", "USD per gate", "Up to the netlist.", 1e3)
    back_end_labour_usd_per_gate: float = not_negative("Back end, labour", "USD per gate", "From the netlist on.", 1e3)
    back_end_tools_usd_per_gate: float = not_negative("Back end, tools", "USD per gate", "From the netlist on.", 1e3)


class DesignSection(Section):
    """Costs that are paid once."""

    new_block: EffortSection = Field(title="New block", description="Effort of a block designed for a monolithic die.")
    reused_block: EffortSection = Field(
        title="Reused block", description="Effort of a soft core bought for a monolithic die."
    )
    new_chiplet: EffortSection = Field(title="New chiplet", description="Effort of a block designed as a chiplet.")
    top_level_gates: float = not_negative("Top level", "gates", "For integration, of every block or chiplet.", 1e9)
    licence_usd: float = not_negative(
        "Licence", "USD", "Licence of a soft core bought for a monolithic die.", _MOST_USD
    )
    verification_percent: float = Field(
        ge=0, lt=100, title="Verification", description="Its share of design and verification together, of new blocks.",
        json_schema_extra={"unit": "%"},
    )  # fmt: skip
    chiplet_masks: Literal["share", "one-set", "set-each"] = Field(
        title="Masks of new chiplets",
        description="share: new chiplets pay for their share of a set; one-set: one set for all; set-each: one set each.",
    )


class AssemblySection(Section):
    """The cost of putting chiplets on an interposer."""

    bonding_usd: float = not_negative("Bonding", "USD per chiplet", "Stacking a chiplet on the interposer.", 1e6)
    bond_yield_percent: float = _percent("Bond yield", "Yield of stacking one chiplet.")
    chiplet_area_overhead_percent: float = not_negative(
        "Area for redundant bumps", "%", "On top of the area of every chiplet.", 1000
    )


class TestSection(Section):
    """The cost of testing."""

    die_usd_per_mm2: float = not_negative("Active silicon", "USD per mm²", "Test cost of every die.", 1e4)
    interposer_usd_per_mm2: float = not_negative(
        "Interposer, by area", "USD per mm²", "Test cost of every interposer.", 1e4
    )
    interposer_usd: float = not_negative(
        "Interposer", "USD", "Test cost of every interposer, independent of its area.", 1e6
    )
    probing_usd: float = not_negative("Probing of micro-bumps", "USD per chiplet", "Test cost of every chiplet.", 1e6)


class SiliconCostDocument(SourcedHeader):
    """A hardware document of schema `silicon-cost/1`."""

    schema_name: Literal["silicon-cost/1"] = named()
    wafer: WaferSection = Field(title="Wafers", description="Properties of all wafers.")
    processes: Annotated[dict[Slug, ProcessSection], Field(min_length=1, max_length=30)] = Field(
        title="Processes", description="Name -> process in which dies are made."
    )
    interposer: InterposerSection = Field(title="Interposer", description="Silicon below the chiplets.")
    defects: YieldSection = Field(title="Defects", description="How they gather.")
    design: DesignSection = Field(title="Design", description="One-time costs.")
    assembly: AssemblySection = Field(title="Assembly", description="Costs of assembling chiplets.")
    test: TestSection = Field(title="Test", description="Costs of testing.")
