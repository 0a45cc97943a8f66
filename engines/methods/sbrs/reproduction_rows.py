"""How a comparison of SBRS is made."""

from __future__ import annotations

from collections.abc import Mapping

from engines.methods.sbrs.reproduction_runs import published
from engines.reproductions import Comparison, Kind

ANCHOR = "minakova-2022"
DEFAULT, PRINTED = "ranks of the values", "printed ranks"
READINGS: Mapping[str, str] = {
    DEFAULT: "Figure 6 is ranked by its printed values",
    PRINTED: "Figure 6 is weighed with its printed ranks, of which two energy ranks contradict the values",
}
APPLICATIONS = {"voc": "Pascal VOC", "pamap2": "PAMAP2", "cifar10": "CIFAR-10"}


def row(
    key: str, name: str, group: str, ours: float, kind: Kind = "exact", why: str = "", reading: str = DEFAULT,
    ordering: bool | None = None, of: float | None = None,
) -> Comparison:  # fmt: skip
    """A row; `of` is an element of a published list."""
    entry = published()[key]
    said = float(entry["value"]) if of is None else of
    why = why if abs(ours - said) > 1e-9 + 1e-9 * abs(said) else ""
    return Comparison(name, reading, said, ours, entry["unit"], kind, ANCHOR, entry["where"], ordering, why, group)
