"""How a comparison of SBRS is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.methods.sbrs.reproduction.runs import ANCHOR, published
from engines.reproduction.comparisons import Comparison, Kind

DEFAULT, PRINTED = "ranks of the values", "printed ranks"
READINGS: Mapping[str, str] = {
    DEFAULT: "Figure 6 is ranked by its printed values",
    PRINTED: "Figure 6 is weighed with its printed ranks, of which two energy ranks contradict the values",
}
APPLICATIONS = {"voc": "Pascal VOC", "pamap2": "PAMAP2", "cifar10": "CIFAR-10"}


def row(
    key: str, name: str, group: str, ours: float, kind: Kind = "exact", why: str = "", reading: str = DEFAULT,
    ordering: bool | None = None, place: int | None = None, inputs: Sequence[str] = (),
) -> Comparison:  # fmt: skip
    """A row; `place` is that of an element in a published list, `inputs` name published values that went into ours."""
    entry = published()[key]
    said = float(entry["value"] if place is None else entry["value"][place])
    own = key if place is None else f"{key}[{place}]"
    return Comparison(
        name, reading, said, ours, str(entry.get("unit", "")), kind, ANCHOR, entry["where"], ordering, why, group,
        sources=(own,), inputs=tuple(inputs),
    )  # fmt: skip
