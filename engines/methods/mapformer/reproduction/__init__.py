"""Published results of MapFormer beside ours: estimator, managers, random mappings.

Everything is predicted on a simulated board; figures of OmniBoost are not compared yet.
"""

from __future__ import annotations

from engines.methods.mapformer.reproduction import estimator, managers
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("mapformer",),
    headline="Random mappings with high throughput and low power",
    parts=(
        Part("Figure 1: random mappings", managers.good_mappings, quick=True),
        Part("Figure 7: rivals beside each other", managers.rivals),
        Part("Figure 7: MapFormer over its rivals", estimator.improvements),
        Part("Tables 2 and 3: the estimator", estimator.shipped_estimator, quick=True),
        Part("printed figures put together", managers.arithmetic, quick=True),
    ),
)
