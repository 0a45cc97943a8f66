"""Notes on a network whose document contains no graph: its layers are assumed to form a chain."""

from __future__ import annotations

from dataclasses import replace

from engines.contract.results import Note
from engines.workloads.network import Network, has_graph


def assumed_chains(*networks: Network) -> str:
    """Return the titles of the networks that are taken as chains; "" where the graph of each is known."""
    return ", ".join(network.title for network in networks if not has_graph(network.operations))


def chain_notes(names: str, consequence: str) -> tuple[Note, ...]:
    """Return a warning where graphs are unknown.

    Args:
        names: names of the networks that are taken as chains (`assumed_chains`); "": none.
        consequence: sentence on the error of the numbers if there are branches.
    """
    if not names:
        return ()
    text = (
        f"The description of {names} has no connections between operators. Each operator is assumed to read the "
        "one before it. "
    )
    text += (
        f"{consequence} Import the network from ONNX or PyTorch, or add `reads` to its operations, to use its graph."
    )
    return (Note("chain", "Assumed chain", text, "warning"),)


def scoped(proof: Note, *networks: Network) -> Note:
    """Return a note on what is proven, with its scope: the assumed chain where the graph of a network is unknown."""
    names = assumed_chains(*networks)
    return _of_chain(proof, "assumed chain", names) if names else proof


def scoped_to_chain(proof: Note, network: Network) -> Note:
    """Return a note on what is proven, with its scope, by a method that takes every network as a chain."""
    return _of_chain(proof, "chain" if has_graph(network.operations) else "assumed chain", network.title)


def _of_chain(proof: Note, chain: str, names: str) -> Note:
    text = f"Holds for the {chain} of {names} alone, not for the network itself: {proof.text.removeprefix('Proven: ')}"
    return replace(proof, title=f"{proof.title} ({chain})", text=text)
