"""Networks for tests: the worked example of minakova-2022 (Figures 1, 7, 8) and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from engines.methods.sbrs.cnn import Cnn, CnnLayer, chain
from engines.methods.sbrs.equality import ADAPTABLE


def _layer(name: str, operator: str, parameters: str, size: int, kernel: int = 0) -> CnnLayer:
    hyper = (("kernel", str(kernel)), ("stride", "1")) if kernel else ()
    return CnnLayer(
        name, operator, hyper, parameters, ((size, 3),) if parameters else (), 100 if parameters else 0, size
    )


def example() -> tuple[Cnn, Cnn]:
    """Both networks of Figure 1; the text prints hyper-parameters of l2 alone (k: 5, s: 1), the others' are made up."""
    first = (
        _layer("l1", "Data", "", 3072),
        _layer("l2", "Conv", "W2", 1000, 5),
        _layer("l3", "Conv", "W3 of CNN1", 800, 3),
        _layer("l4", "FC", "W4", 50),
        _layer("l5", "Softmax", "", 10),
    )
    second = (
        _layer("l1", "Data", "", 3072),
        _layer("l2", "Conv", "W2", 1000, 5),
        _layer("l3", "Conv", "W3 of CNN2", 900, 7),
        _layer("l4", "Conv", "W4 of CNN2", 800, 3),
        _layer("l5", "FC", "W4", 50),
        _layer("l6", "Softmax", "", 10),
    )
    return Cnn("CNN1", first, chain(5)), Cnn("CNN2", second, chain(6))


def random_layer(draw: st.DrawFn, number: int) -> CnnLayer:
    operator = draw(st.sampled_from(("conv", "pool", "add")))
    identity = f"{draw(st.integers(0, 2))}" if operator == "conv" else ""
    size = draw(st.sampled_from((4, 8)))
    shapes = ((size,),) if identity else ()
    return CnnLayer(
        f"l{number}", operator, (("kernel", "3"),), identity + str(size) if identity else "", shapes, 5, size
    )


@st.composite
def cnns(draw: st.DrawFn) -> tuple[Cnn, ...]:
    """Networks with residual connections."""
    found = []
    for number in range(draw(st.integers(1, 4))):
        count = draw(st.integers(1, 9))
        layers = tuple(random_layer(draw, place) for place in range(count))
        pairs = [(a, b) for b in range(count) for a in range(b - 1)]
        more = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4)) if pairs else []
        edges = sorted({*chain(count), *more}, key=lambda edge: (edge[1], edge[0]))
        found.append(Cnn(f"n{number}", layers, tuple(edges)))
    return tuple(found)


adaptive_sets = st.sets(st.sampled_from(ADAPTABLE))
