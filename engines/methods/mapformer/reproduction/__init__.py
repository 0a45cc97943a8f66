"""Published results of MapFormer beside ours, as far as its rivals and random mappings go.

Everything is predicted on a simulated board; figures of the publication's own manager and of OmniBoost are not compared yet.
"""

from __future__ import annotations

from engines.methods.mapformer.reproduction import managers
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("mapformer",),
    headline="Random mappings with high throughput and low power",
    parts=(
        Part("Figure 1: random mappings", managers.good_mappings, quick=True),
        Part("Figure 7: rivals beside each other", managers.rivals),
        Part("printed figures put together", managers.arithmetic, quick=True),
    ),
)
