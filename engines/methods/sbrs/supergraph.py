"""The application model: a supergraph that captures every scenario, with control parameters where scenarios differ.

Source: minakova-2022 Algorithm 2. One departure: where one network uses a supergraph edge twice and would write it again while its
first content is still to be read (around a residual connection, or from a layer to itself), the printed algorithm loses data.
Such an edge gets a numbered duplicate with a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engines.methods.sbrs.cnn import Cnn, CnnLayer, require_names
from engines.methods.sbrs.equality import ADAPTABLE, ParameterEquality, layer_classes


@dataclass(frozen=True)
class SupergraphLayer:
    """A layer of the supergraph.

    Attributes:
        captured: (scenario, layer) of everything that it represents, in the order of being found.
        operator, hyperparameters: which all of these have in common.
        parameter_sets: identity -> elements of every set of learnable parameters that is stored with it.
        controls: attribute out of ("par", "I", "O") -> name of the control parameter that sets it at run time.
    """

    captured: tuple[tuple[int, int], ...]
    operator: str
    hyperparameters: tuple[tuple[str, str], ...]
    parameter_sets: tuple[tuple[str, int], ...]
    controls: tuple[tuple[str, str], ...]

    @property
    def scenarios(self) -> tuple[int, ...]:
        """Which scenarios use it, ascending."""
        return tuple(sorted({scenario for scenario, _ in self.captured}))

    @property
    def reused(self) -> bool:
        """Whether it represents more than one layer."""
        return len(self.captured) > 1


@dataclass(frozen=True)
class SupergraphEdge:
    """An edge of the supergraph, with one buffer that all captured edges use in turn.

    Attributes:
        source, target: numbers of supergraph layers.
        copy: 0, or the number of a duplicate between the same layers.
        elements: elements of the buffer: the largest tensor that any captured edge carries.
        captured: (scenario, edge) of everything that it represents.
    """

    source: int
    target: int
    copy: int
    elements: int
    captured: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Step:
    """One computational step of a scenario: a supergraph layer, and the values of its control parameters."""

    layer: int
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Supergraph:
    """The derived application of `s` scenarios (minakova-2022 Algorithm 2: G(L, E, c, Ec)).

    Attributes:
        adaptive: the set A.
        sequences: execution sequence of every scenario, one step per layer, kept by the control node c.
        layer_of: supergraph layer of every layer of every scenario.
        edge_of: supergraph edge of every edge of every scenario.
    """

    cnns: tuple[Cnn, ...]
    adaptive: frozenset[str]
    layers: tuple[SupergraphLayer, ...]
    edges: tuple[SupergraphEdge, ...]
    sequences: tuple[tuple[Step, ...], ...]
    layer_of: tuple[tuple[int, ...], ...]
    edge_of: tuple[tuple[int, ...], ...]

    @property
    def parameter_elements(self) -> int:
        """Learnable parameters that are stored, every set once."""
        sets = {identity: size for layer in self.layers for identity, size in layer.parameter_sets}
        return sum(sets.values())

    @property
    def buffer_elements(self) -> int:
        """Elements of all buffers."""
        return sum(edge.elements for edge in self.edges)

    def memory_bytes(self, bytes_per_element: int) -> int:
        """Return the memory of the application: eq. 1 over the supergraph, buffers as large as their largest use."""
        return (self.parameter_elements + self.buffer_elements) * bytes_per_element

    def naive_memory_bytes(self, bytes_per_element: int) -> int:
        """Return the memory of the scenarios as separate networks: the sum of eq. 1."""
        return sum(cnn.memory_bytes(bytes_per_element) for cnn in self.cnns)


def derive(
    cnns: Sequence[Cnn], adaptive: Collection[str], parameter_equality: ParameterEquality = "values"
) -> Supergraph:
    """Run Algorithm 2: the supergraph and the execution sequences.

    Args:
        cnns: the scenarios, at least one.
        adaptive: the set A out of ("I", "O", "par").
        parameter_equality: see `engines.methods.sbrs.equality`.

    Raises:
        ValueError: no scenario, two of one name, or an attribute that cannot be adaptive.
    """
    if not cnns:
        raise ValueError("An application must have at least one scenario. Got none.")
    require_names(cnns)
    classes = layer_classes(cnns, adaptive, parameter_equality)
    numbers: dict[int, int] = {}
    layer_of = tuple(tuple(numbers.setdefault(kind, len(numbers)) for kind in row) for row in classes)
    edges, edge_of = _edges(cnns, layer_of)
    layers = _layers(cnns, len(numbers), layer_of, edge_of, adaptive, parameter_equality)
    sequences = tuple(
        tuple(
            _step(cnn, layers[place], place, edge_of[scenario], number)
            for number, place in enumerate(layer_of[scenario])
        )
        for scenario, cnn in enumerate(cnns)
    )
    return Supergraph(tuple(cnns), frozenset(adaptive), layers, edges, sequences, layer_of, edge_of)


def _edges(
    cnns: Sequence[Cnn], layer_of: Sequence[Sequence[int]]
) -> tuple[tuple[SupergraphEdge, ...], tuple[tuple[int, ...], ...]]:
    """Run lines 10 to 17, with duplicates where one network still needs what is in the buffer."""
    places: dict[tuple[int, int, int], int] = {}
    captured: list[list[tuple[int, int]]] = []
    elements: list[int] = []
    edge_of: list[tuple[int, ...]] = []
    for scenario, cnn in enumerate(cnns):
        free_from: dict[int, int] = {}  # supergraph edge -> step of this scenario that is the last to read it so far
        own: list[int] = [0] * len(cnn.edges)
        for (source, target), number in sorted((edge, number) for number, edge in enumerate(cnn.edges)):
            ends, copy = (layer_of[scenario][source], layer_of[scenario][target]), 0
            while free_from.get(places.get((*ends, copy), -1), -1) >= source:
                copy += 1
            place = places.setdefault((*ends, copy), len(captured))
            if place == len(captured):
                captured.append([])
                elements.append(0)
            captured[place].append((scenario, number))
            elements[place] = max(elements[place], cnn.layers[source].output_elements)
            free_from[place] = target
            own[number] = place
        edge_of.append(tuple(own))
    edges = tuple(SupergraphEdge(*key, elements[place], tuple(captured[place])) for key, place in places.items())
    return edges, tuple(edge_of)


def _layers(
    cnns: Sequence[Cnn],
    count: int,
    layer_of: Sequence[Sequence[int]],
    edge_of: Sequence[Sequence[int]],
    adaptive: Collection[str],
    equality: ParameterEquality,
) -> tuple[SupergraphLayer, ...]:
    """Run lines 3 to 9 and 18 to 24: layers, and control parameters for the attributes in which captured layers differ."""
    captured: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for scenario, row in enumerate(layer_of):
        for number, place in enumerate(row):
            captured[place].append((scenario, number))
    names = 0
    layers = []
    for members in captured:
        first = _layer(cnns, members[0])
        controls = []
        for attribute in ADAPTABLE:
            values = {_value(cnns[s], edge_of[s], number, attribute) for s, number in members}
            if len(values) > 1 and not (attribute == "par" and attribute not in adaptive):
                names += 1
                controls.append((attribute, f"p{names}"))
        one_set = "par" not in adaptive and equality == "shapes"
        sets = {
            _layer(cnns, m).parameters: _layer(cnns, m).parameter_elements for m in members[: 1 if one_set else None]
        }
        sets.pop("", None)
        layers.append(
            SupergraphLayer(tuple(members), first.operator, first.hyperparameters, tuple(sets.items()), tuple(controls))
        )
    return tuple(layers)


def _step(cnn: Cnn, layer: SupergraphLayer, place: int, edge_of: Sequence[int], number: int) -> Step:
    """Run lines 28 to 41."""
    return Step(place, tuple((name, _value(cnn, edge_of, number, attribute)) for attribute, name in layer.controls))


def _value(cnn: Cnn, edge_of: Sequence[int], number: int, attribute: str) -> str:
    """Return the value of an attribute in words: identity of the parameters, or the supergraph's edges."""
    if attribute == "par":
        return cnn.layers[number].parameters
    edges = cnn.inputs[number] if attribute == "I" else cnn.outputs[number]
    return " ".join(f"e{edge_of[edge]}" for edge in edges)


def _layer(cnns: Sequence[Cnn], member: tuple[int, int]) -> CnnLayer:
    return cnns[member[0]].layers[member[1]]
