"""The included estimators: one per power limit of its training, with their measured error.

`tools/train_omniboost.py` makes them. There is one file of weights and one document for each device.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from engines.methods.mapformer.omniboost.network import ThroughputNetwork

BUILTIN = Path(__file__).parent / "builtin"
OMNIBOOST = ("omniboost", "omniboost-power")  # managers that ask them
FREE = "free"  # the network of OmniBoost, which knows of no limit


@dataclass(frozen=True)
class ShippedNetworks:
    """The shipped networks of a device.

    Attributes:
        slug: slug of the device.
        title: title of the device.
        units: names of the board's units that networks are mapped to, in the order of the tensor.
        modes_w: name of a network -> power limit that it was trained within, None for `FREE`.
        determination: name -> share of the variance of held-out mixes that it tells (R squared).
        mappings: number of mappings of the evaluation.
    """

    slug: str
    title: str
    units: tuple[str, ...]
    modes_w: Mapping[str, float | None]
    determination: Mapping[str, float]
    mappings: int

    def within(self, power_limit_w: float) -> str:
        """Return the name of the network of the highest mode that meets a limit; of the lowest where none does."""
        modes = sorted((watts, name) for name, watts in self.modes_w.items() if watts is not None)
        below = [name for watts, name in modes if watts <= power_limit_w]
        return below[-1] if below else modes[0][1]


@cache
def shipped_for(device: str) -> ShippedNetworks | None:
    """Return the included estimators of a device; None if there are none."""
    path = BUILTIN / f"omniboost-{device}.json"
    if not path.is_file():
        return None
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    networks = document["networks"]
    return ShippedNetworks(
        document["board"], document["title"], tuple(document["units"]),
        {name: each["power_limit_w"] for name, each in networks.items()},
        {name: each["determination"] for name, each in networks.items()}, document["held_out_mappings"],
    )  # fmt: skip


def network_of(shipped: ShippedNetworks, name: str) -> ThroughputNetwork:
    """Return the packaged network with its weights."""
    from safetensors.torch import load_file

    from engines.methods.mapformer.omniboost.network import ThroughputNetwork

    found = load_file(BUILTIN / f"omniboost-{shipped.slug}.safetensors")
    network = ThroughputNetwork(len(shipped.units))
    prefix = f"{name}."
    network.load_state_dict({key[len(prefix) :]: each for key, each in found.items() if key.startswith(prefix)})
    network.eval()
    return network


def determination(told: Any, true: Any) -> float:
    """Return R squared: 1 where the prediction is true, 0 where it is no better than the mean."""
    spread = float(((true - np.mean(true)) ** 2).sum())
    return 1.0 - float(((np.asarray(told) - true) ** 2).sum()) / spread
