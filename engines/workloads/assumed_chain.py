"""What answers say about a network whose document does not say what its operations read: it is taken as a chain."""

from __future__ import annotations

from dataclasses import replace

from engines.contract.results import Note
from engines.workloads.network import Network, has_graph

ASSUMED_CHAIN = "assumed chain"


def assumed_chains(*networks: Network) -> str:
    """Titles of the networks that are taken as chains; "" where the graph of each is known."""
    return ", ".join(network.title for network in networks if not has_graph(network.operations))


def chain_notes(names: str, consequence: str) -> tuple[Note, ...]:
    """A warning where graphs are unknown.

    Args:
        names: of the networks that are taken as chains (`assumed_chains`); "": none.
        consequence: what the numbers lack if there are branches; a sentence.
    """
    if not names:
        return ()
    text = f"The document of {names} does not say which operations read which results, so each is taken to read the one before. "
    text += (
        f"{consequence} Import the network from ONNX or PyTorch, or add `reads` to its operations, to use its graph."
    )
    return (Note("chain", f"Results for the {ASSUMED_CHAIN}", text, "warning"),)


def scoped(proof: Note, *networks: Network) -> Note:
    """A note on what is proven, with its scope: the assumed chain where the graph of a network is unknown."""
    names = assumed_chains(*networks)
    if not names:
        return proof
    text = f"For the {ASSUMED_CHAIN} of {names}, not for the network itself: {proof.text}"
    return replace(proof, title=f"{proof.title} for the {ASSUMED_CHAIN}", text=text)
