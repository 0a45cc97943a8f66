"""Published results of MapFormer, computed again: estimator, managers, random mappings.

Everything is predicted on a simulated board.
"""

from __future__ import annotations

from engines.methods.mapformer.reproduction import estimator, managers
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("mapformer",),
    headline="Random mappings with high throughput and low power",
    readings=managers.READINGS,
    parts=(
        Part("Figure 1: random mappings", managers.good_mappings, quick=True),
        Part("Figure 7 (a): 6 networks", estimator.improvements("fig7a_6dnn")),
        Part("Figure 7 (b): 8 networks", estimator.improvements("fig7b_8dnn")),
        Part("Figure 7 (c): 10 networks", estimator.improvements("fig7c_10dnn_10W")),
        Part("Figure 7: baselines compared", managers.rivals),
        Part("OmniBoost on average", estimator.against_omniboost),
        Part("Tables 2 and 3: the estimators", estimator.shipped_estimator, quick=True),
        Part("published values combined", managers.arithmetic, quick=True),
    ),
)
