"""Published results of Seesaw, computed again, under both calibrations of the devices' power.

Published: `published.yaml`. Ours: the power models of the built-in nodes at the published rates, and the engine on synthetic
routes and videos. The routes and videos behind the published figures are not available here: what depends on them is marked.
`quick` is what needs no training.
"""

from __future__ import annotations

from engines.methods.seesaw.reproduction import correlation, powers, recordings
from engines.methods.seesaw.reproduction.rows import READINGS
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("seesaw",),
    headline="Gain over sleep at the published mean interval, tolerance 10 %, in use 10%",
    readings=READINGS,
    parts=(
        Part("powers of the fitness tracker", lambda _: powers.tracker_power(), quick=True),
        Part("powers of the video camera", lambda _: powers.camera_power(), quick=True),
        Part("power of the predictor", lambda _: powers.tree_power(), quick=True),
        Part("fitness tracker on routes", recordings.tracker_routes),
        Part("video camera on videos", recordings.camera_videos),
        Part("correlation finder", correlation.cross_validation),
        Part("rain gauge", correlation.agriculture),
    ),
)
