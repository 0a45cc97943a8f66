"""Published packages, and what the numbers rest on."""

from __future__ import annotations

from engines.contract.results import Note
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.params import FLOWS
from engines.methods.neksus.space import by_traffic

_CHAIN, _SERDES, _BITS = 4, 6, 128


def baselines(instance: NeksusInstance) -> dict[str, PackageDesign]:
    """Return the published package with each data flow, and the same without mini-chains and SerDes."""
    system, most = instance.system, instance.params.most_ports
    chiplets = tuple((block,) for block in by_traffic(tuple(system.blocks), instance.chains, _CHAIN))
    bought = frozenset(number for number, blocks in enumerate(chiplets) if system.blocks[blocks[0]].for_sale)
    found = {
        f"Neksus, {FLOWS[flow].lower()}": PackageDesign("crossbar", chiplets, _CHAIN, _SERDES, _BITS, flow, bought)
        for flow in ("direct", "buffer", "memory")
    }
    found["A port for every chiplet, no SerDes"] = PackageDesign("crossbar", chiplets, 1, 1, _BITS, "direct", bought)
    return {title: design for title, design in found.items() if design.ports <= most}


def model_notes(instance: NeksusInstance) -> tuple[Note, ...]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    text = (
        "Transfers use the remaining capacity of each channel. Queues are not counted, so latency near "
        "saturation is too low. Reads of a "
    )
    text += "chain's first block and writes of its last one are not counted. Routers take the same energy and power "
    text += "however many ports they have, and the hub's area grows with its ports."
    notes = [Note("network-model", "Network", text)]
    if any(words.startswith(("assumed", "approximate")) for words in instance.system.sources.values()):
        words = "Some figures of the system are assumed: its page in the catalogue says which."
        notes.append(Note("assumed", "Assumed figures", words))
    return tuple(notes)
