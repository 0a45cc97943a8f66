"""The query of the comparison of dataflows: package, sizes, mappings, quantity, layer; as the address says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.cost.dataflow.model import MAPPINGS
from engines.cost.preferences import (
    DEFAULT_ARRAY_SIZES,
    DEFAULT_MAPPINGS,
    MOST_ARRAY_SIZES,
    LayerPreferences,
    Quantity,
    layer_preferences,
)
from engines.workloads.network import Network
from frontend.figures.layers.layer_preferences import SHOWN, Show, quantity_of
from frontend.ids.catalogue import DocumentIds
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.drafts import PREFERRED
from hardware.package.model import ChipletPackage
from webapp.catalogue.service import DocumentEntry, get_entry, list_documents
from webapp.teams.visibility import Principal

PACKAGE_SCHEMA = "chiplet-package/1"
ARRAY_SIZES = tuple(2**power for power in range(6, 15))
ALL, SAME_SIZE = "all", "size"
REFERENCES = {ALL: "All choices", SAME_SIZE: "Same array size"}


# A pattern, so that a callback of both kinds of pages may ask for it where there is none.
ASKED = {"type": DocumentIds.ASKED_TYPE, "of": "layers"}


@dataclass(frozen=True)
class DataflowQuery:
    """The reader's choices.

    Attributes:
        package: name of the chiplet package whose figures are used.
        sizes, mappings: compared array sizes and mappings.
        show: metric of the heat map.
        reference: `ALL` or `SAME_SIZE`: to what a choice is compared.
        layer: index of the picked layer.
        model: index of the model of a scenario.
    """

    package: str
    sizes: tuple[int, ...] = DEFAULT_ARRAY_SIZES
    mappings: tuple[str, ...] = DEFAULT_MAPPINGS
    show: Show = "edp"
    reference: str = ALL
    layer: int = 0
    model: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the query for a browser-side store; `asked_of` reads it back."""
        return {
            **vars(self),
            "sizes": [str(size) for size in self.sizes],
            "mappings": list(self.mappings),
            "layer": self.layer + 1,
            "model": self.model + 1,
        }

    @property
    def quantity(self) -> Quantity:
        """The quantity by which choices are ranked."""
        return quantity_of(self.show)


def packages(principal: Principal) -> list[DocumentEntry]:
    """Return the chiplet packages that `principal` sees."""
    return list_documents(principal, "hardware", (PACKAGE_SCHEMA,))


def asked_of(principal: Principal, given: Mapping[str, Any]) -> DataflowQuery:
    """Return the query from address or controls; invalid values become defaults."""
    names = [entry.name for entry in packages(principal)]
    package = given.get("package")
    if package not in names:
        package = PREFERRED["hardware"] if PREFERRED["hardware"] in names else names[0]
    known = {str(size): size for size in ARRAY_SIZES}
    sizes = sorted({known[size] for size in _listed(given.get("sizes")) if size in known})
    mappings = tuple(name for name in dict.fromkeys(_listed(given.get("mappings"))) if name in MAPPINGS)
    show, reference = given.get("show"), given.get("reference")
    return DataflowQuery(
        package,
        tuple(sizes)[:MOST_ARRAY_SIZES] or DEFAULT_ARRAY_SIZES,
        mappings or DEFAULT_MAPPINGS,
        show if show in SHOWN else "edp",
        reference if reference in REFERENCES else ALL,
        _index(given.get("layer")),
        _index(given.get("model")),
    )


def _listed(value: Any) -> list[str]:
    """Return the values of a list, or of words separated by commas."""
    return [str(each) for each in value] if isinstance(value, list) else str(value or "").split(",")


def _index(value: Any) -> int:
    """Return a number from 0 on, as the address counts it (from 1 on)."""
    text = str(value or "")
    return int(text) - 1 if text.isascii() and text.isdigit() and 0 < len(text) < 6 and int(text) > 0 else 0


def compared(principal: Principal, network: Network, asked: DataflowQuery) -> LayerPreferences:
    """Return the comparison for one network.

    Raises:
        ProblemError: the package cannot be read, or a layer cannot be evaluated.
    """
    package = loaded(get_entry(principal, "hardware", asked.package))
    if not isinstance(package, ChipletPackage):
        raise ProblemError("package", asked.package, "the name of a chiplet package")
    return layer_preferences(network, package, asked.mappings, asked.sizes)
