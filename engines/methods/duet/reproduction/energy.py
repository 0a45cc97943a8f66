"""Figures 5.10 and 5.12, Table 5.3: energy of device and datacentre, the battery, accuracies as printed."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from engines.methods.duet.reproduction.runs import MODELS, PUBLICATION, PublishedSplit, geometric_mean
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.frame import OutcomeReader

_WHY = (
    "One factor scales the device's energy, so that RM4 has its published share. The datacentre's energy is power x "
    "time of a roofline. RM5 has no recurrent layers here, so that both of its sides take less."
)
_BATTERY = (
    "The battery and the other power of the phone are not published. The battery here lasts 24 hours. The published "
    "25 % and 8 % would need about 11 and 3 J per query. This is far more than the published shares of energy give."
)
_ROUNDED = "The text gives bounds that its own Table 5.3 passes."


def compare(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the gains and shares of energy."""
    found = {name: look(PublishedSplit(name)) for name in MODELS}
    rows = PUBLICATION.rows("Energy (Figure 5.10, section 5.4.2)", why=_WHY)
    gain = geometric_mean([found[name]["energy_gain"] for name in MODELS])
    yield rows("Energy gained, 1024 candidates, mean", "fig5.10.energy_reduction_1024", gain)
    gain = geometric_mean([look(PublishedSplit(name, 256))["energy_gain"] for name in MODELS])
    yield rows("Energy gained, 256 candidates, mean", "fig5.10.energy_reduction_256", gain)
    gain = geometric_mean([found[name]["datacentre_gain"] for name in MODELS])
    yield rows("Datacentre's energy gained, mean", "fig5.10.datacenter_energy_reduction", gain)
    small = [found["rm1"], found["rm2"]]
    for side, title in (("datacentre", "datacentre"), ("edge", "device")):
        key = "datacenter" if side == "datacentre" else side
        mean = sum(each[f"{side}_share"] for each in small) / 2
        # The datacentre's share is printed as "more than"; of the other models the device's, which is the rest, is counted.
        more = side == "datacentre"
        yield rows(
            f"RM1 and RM2: share of the {title}, mean", f"rm1_rm2.{key}_energy_share", mean,
            kind="predicted" if more else "repeated", test="at least" if more else None,
        )  # fmt: skip
        for name in ("rm3", "rm4", "rm5"):
            kind: Kind = "repeated" if more else "fitted" if name == "rm4" else "predicted"
            printed, ours = f"{name}.{key}_energy_share", found[name][f"{side}_share"]
            yield rows(f"{name.upper()}: share of the {title}", printed, ours, kind=kind)
    for name in ("rm3", "rm4", "rm5"):
        yield rows(f"{name.upper()}: energy gained", f"{name}.energy_reduction", found[name]["energy_gain"])
    unquantised = geometric_mean([found[name]["energy_gain_unquantised"] for name in MODELS])
    yield rows("Without int8: energy gained, mean", "energy_reduction_no_quant", unquantised)


def compare_hardware(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figure 5.12: the hardware unit and int8, on against off."""
    found = [look(PublishedSplit(name)) for name in MODELS]
    rows = PUBLICATION.rows("Hardware optimisations (Figure 5.12)", why=_WHY)
    saved = sum(each["edge_saved"] for each in found) / len(found)
    yield rows("Energy of the device saved, mean", "fig5.12.edge_energy_reduction", saved, baseline=100)
    yield rows(
        "RM3: energy of the device saved", "fig5.12.rm3_edge_energy_reduction", found[2]["edge_saved"], baseline=100
    )
    without = geometric_mean([each["energy_gain_without"] for each in found])
    yield rows("Without them: energy gained, mean", "energy_reduction_without_hw", without)
    rows = PUBLICATION.rows("Battery with a query a minute (Figure 5.12, section 5.2.6)", why=_BATTERY)
    drop = sum(each["battery_drop"] for each in found) / len(found)
    yield rows("Battery life lost, mean", "battery_drop_with_hw", drop)
    drop = sum(each["battery_drop_without"] for each in found) / len(found)
    yield rows("Battery life lost without them, mean", "battery_drop_without_hw", drop)
    hours = float(str(PUBLICATION.value("battery_life_without_hw")).split()[-2])
    left = PUBLICATION.derived(hours, "h", "battery_life_without_hw", "battery_drop_without_hw")
    yield rows(
        "Battery life without them, mean", left, sum(each["battery_life_without"] for each in found) / len(found)
    )


def arithmetic(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield values derived from several published values."""
    rows = PUBLICATION.rows("Published values combined", kind="arithmetic", why="Published with two digits.")
    mean = PUBLICATION.value("fig5.10.energy_reduction_1024")
    names = ("rm3", "rm4", "rm5")
    gains = {name: float(PUBLICATION.value(f"{name}.energy_reduction")) for name in names}
    both = sqrt(mean ** len(MODELS) / (gains["rm3"] * gains["rm4"] * gains["rm5"]))
    shares = {name: PUBLICATION.value(f"{name}.datacenter_energy_share") / 100 for name in names}
    small = both / (PUBLICATION.value("rm1_rm2.datacenter_energy_share") / 100)
    reductions = [small, small, *(gains[name] / shares[name] for name in names)]
    inputs = ("fig5.10.energy_reduction_1024", *(f"{name}.energy_reduction" for name in names))
    yield rows(
        "Datacentre's energy gained, from gains and shares by geometric means", "fig5.10.datacenter_energy_reduction",
        geometric_mean(reductions), inputs=inputs,
    )  # fmt: skip
    for key, column, title in (
        ("accuracy_drop_no_quant", "duet_no_quant", "Accuracy lost at most, from Table 5.3"),
        ("accuracy_drop_quant", "duet", "Accuracy lost at most with int8, from Table 5.3"),
    ):
        keys = [(f"table5.3.{name}.base", f"table5.3.{name}.{column}") for name in ("RM1", "RM2", "RM3", "RM5")]
        lost = max(PUBLICATION.value(base) - PUBLICATION.value(split) for base, split in keys)
        yield rows(title, key, round(lost, 6), inputs=[each for pair in keys for each in pair], why=_ROUNDED)
