"""What a run says: published packages, the best of each network and flow, cost over volume, what the numbers rest on."""

from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.quantities import SHARE, by_name
from engines.contract.results import Note, Result, Table, TableColumn
from engines.methods.neksus.design import PackageDesign, decoded
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.params import FLOWS, TOPOLOGIES
from engines.methods.neksus.quantities import OBJECTIVES, QUANTITIES, objective_columns
from engines.methods.neksus.search import is_exhaustive
from engines.methods.neksus.space import by_traffic
from engines.methods.neksus.volume import cheapest_by_volume, volume_results, yield_over_granularity

_CHAIN, _SERDES, _BITS = 4, 6, 128


def baselines(instance: NeksusInstance) -> tuple[list[str], list[PackageDesign]]:
    """The published package with each data flow, and the same without mini-chains and SerDes."""
    system, most = instance.system, instance.params.most_ports
    chiplets = tuple((block,) for block in by_traffic(tuple(system.blocks), instance.chains, _CHAIN))
    bought = frozenset(number for number, blocks in enumerate(chiplets) if system.blocks[blocks[0]].for_sale)
    found = {
        f"Neksus, {FLOWS[flow].lower()}": PackageDesign("crossbar", chiplets, _CHAIN, _SERDES, _BITS, flow, bought)
        for flow in ("direct", "buffer", "memory")
    }
    found["A port for every chiplet, no SerDes"] = PackageDesign("crossbar", chiplets, 1, 1, _BITS, "direct", bought)
    fits = {title: design for title, design in found.items() if design.ports <= most}
    return list(fits), list(fits.values())


def model_notes(instance: NeksusInstance) -> tuple[Note, ...]:
    """What a reader of the numbers must know."""
    text = "Transfers get what others leave of each channel; queues are not counted, so latency near saturation is too low. What a "
    text += "chain's first block reads and its last one writes elsewhere is not counted. Routers take the same energy and power "
    text += "however many ports they have, and the hub's area grows with its ports."
    notes = [Note("network-model", "Network", text)]
    if any(words.startswith(("assumed", "approximate")) for words in instance.system.sources.values()):
        words = "Some figures of the system are assumed: its page in the catalogue says which."
        notes.append(Note("assumed", "Assumed figures", words))
    return tuple(notes)


def run_results(instance: NeksusInstance, designs: Designs) -> tuple[Result, ...]:
    """Of the last step."""
    counted = np.flatnonzero(designs.counted(QUANTITIES))
    cheapest = counted[designs.columns["cost_usd"][counted].argmin()]
    design = decoded(designs.decisions[cheapest], instance.system, instance.params.most_ports)
    return (
        _proof(instance),
        _best(instance, designs),
        *volume_results(instance, design, "The cheapest package"),
        cheapest_by_volume(designs),
        yield_over_granularity(instance),
    )


def _proof(instance: NeksusInstance) -> Note:
    if is_exhaustive(instance):
        text = "Every package of the choices was looked at, or ruled out because a package that was found is better than the best "
        text += "it could be: within the stated model none is better than those on the front."
    else:
        text = "NSGA-II looked at a part of the packages; others may be better."
    return Note("proof", "How good these packages are for certain", text, role="proof")


def _best(instance: NeksusInstance, designs: Designs) -> Table:
    """The best package by every objective, and the baselines."""
    quantities, rows, titles = by_name(QUANTITIES), [], []
    for column in objective_columns(instance.params):
        row = designs.best(quantities[column], QUANTITIES)
        if row is not None:
            rows.append(row)
            titles.append(f"Best {quantities[column].title.lower()}")
    for row in np.flatnonzero(designs.of_origin("baseline")).tolist():
        rows.append(row)
        titles.append(designs.label[row])
    decisions = [designs.decisions[row] for row in rows]
    return Table(
        name="best",
        title="Packages beside each other",
        table_columns=(
            TableColumn("Package", tuple(titles)),
            TableColumn("Network of the hub", tuple(TOPOLOGIES[each["topology"]] for each in decisions)),
            TableColumn("Data flow", tuple(FLOWS[each["flow"]] for each in decisions)),
            TableColumn("Chain length", designs.columns["chain_length"][rows]),
            *(
                TableColumn(quantities[name].title, designs.columns[name][rows], quantities[name].unit or "")
                for name in OBJECTIVES
            ),
            TableColumn("Busiest channel", designs.columns["busiest_channel_fraction"][rows], SHARE),
        ),
    )
