"""Published results of MyML, computed again.

Published: `published.yaml`. Ours: the tracker and the counts exactly; speed and pruning time by the cost model, by the shapes
of both networks, a straight line of rates and the groups of layers assumed. One constant is fitted: the values that the host
prepares a second, to the throughput of ResNet-50 on the accelerator. Accuracies need ImageNet, which is not here: what the text
says of them is looked for in networks of our own on digits, and no number is compared.
"""

from __future__ import annotations

from engines.methods.myml.reproduction import tables, trends
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("myml",),
    headline="ResNet-50: times faster, CPU",
    parts=(
        Part("Tracker and images", lambda _: tables.counts(), quick=True),
        Part("Published values combined", lambda _: tables.arithmetic(), quick=True),
        Part("Speed at the published sizes", lambda _: tables.speed(), quick=True),
        Part("Tables 4.2 and 4.3", lambda _: tables.pruning(), quick=True),
        Part("Trends, on networks trained here", trends.trends),
    ),
)
