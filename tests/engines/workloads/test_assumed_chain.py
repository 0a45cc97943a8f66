"""Notes of engines on a network whose document states no graph."""

from __future__ import annotations

import pytest

from engines import explore
from engines.contract.results import Note
from engines.workloads.assumed_chain import assumed_chains, chain_notes, scoped, scoped_to_chain
from engines.workloads.loader import builtin_network, load_network
from tests.engines.methods.split_network.problems import conv, network

ROWS = (
    conv("a.conv", 16, 3),
    conv("b.conv", 16, 16),
    conv("c.conv", 16, 16),
    {"name": "d.exit", "kind": "gemm", "k": 10, "c": 16 * 784},
)
LISTED = network(*ROWS).content
GRAPH = network({**ROWS[0], "reads": []}, *ROWS[1:]).content


@pytest.mark.parametrize(
    ("engine", "hardware", "inputs", "params"),
    [
        ("split-network", "jetson-tx2", {"radio": "wifi-smartphone"}, {}),
        ("soc-mapping", "jetson-agx-xavier", {}, {}),
        ("hadas", "jetson-tx2", {}, {"first_exit": 1}),
    ],
)
def test_a_proof_for_a_list_is_told_for_the_assumed_chain_alone(
    engine: str, hardware: str, inputs: dict[str, str], params: dict[str, object]
) -> None:
    for content, listed in ((LISTED, True), (GRAPH, False)):
        found = explore(engine, hardware=hardware, workload=content, inputs=inputs, params=params).results.values()
        notes = [result for result in found if isinstance(result, Note)]
        proofs = [note for note in notes if note.role == "proof"]
        assert proofs and all(("(assumed chain)" in note.title) is listed for note in proofs)
        assert all(note.text.startswith("Holds for the assumed chain of Small alone") is listed for note in proofs)
        warned = any(note.title == "Assumed chain" and note.level == "warning" for note in notes)
        assert warned is listed


def test_networks_without_a_graph_are_named() -> None:
    listed, known = load_network(LISTED), builtin_network("vgg16")
    assert assumed_chains(known) == "" and assumed_chains(known, listed) == "Small"
    assert chain_notes("", "More is sent.") == ()
    (note,) = chain_notes("Small", "More is sent.")
    assert "of Small" in note.text and "More is sent." in note.text and "`reads`" in note.text
    proof = Note("proof", "Exact", "Proven: nothing is better.", role="proof")
    assert scoped(proof, known) is proof
    assert scoped(proof, listed).text.endswith("not for the network itself: nothing is better.")
    assert scoped_to_chain(proof, listed) == scoped(proof, listed)
    always = scoped_to_chain(proof, known)
    assert always.title == "Exact (chain)" and always.role == "proof"
    assert always.text == "Holds for the chain of VGG-16, 224x224 alone, not for the network itself: nothing is better."
