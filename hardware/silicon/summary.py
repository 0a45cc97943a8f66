"""Costs of silicon in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.silicon.model import SiliconCosts


def silicon_words(costs: SiliconCosts) -> str:
    """Return the processes with wafer and masks: "28nm: wafer 7,600 USD, masks 2.25 million USD; bond yield 99.99 %"."""
    processes = "; ".join(
        f"{name}: wafer {each.wafer_usd:,.0f} USD, masks {each.mask_set_usd / 1e6:.3g} million USD"
        for name, each in costs.processes.items()
    )
    return f"{processes}; bond yield {costs.bond_yield * 100:g} %"
