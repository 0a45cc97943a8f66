"""Published results of Seesaw beside ours, under both calibrations of the devices' power.

Published: `published.yaml`. Ours: the power models of the built-in nodes at the published rates, and the engine on synthetic
routes and videos. The routes and videos behind the published figures are not available here: what depends on them is marked.
"""

from __future__ import annotations

from typing import Any

from engines.methods.seesaw.reproduction import correlation, powers, recordings
from engines.methods.seesaw.reproduction.rows import READINGS
from engines.reproduction.reproductions import Part

__all__ = ["ENGINES", "HEADLINE", "READINGS", "parts"]

ENGINES = ("seesaw",)
HEADLINE = "Gain over sleep at the published mean interval, tolerance 10 %, in use 10%"


def parts(quick: bool) -> tuple[Part[Any], ...]:
    """Lives, gains, rates and errors; `quick`: what needs no training."""
    from_powers: tuple[Part[Any], ...] = (
        Part("powers of the fitness tracker", _nothing, lambda _: powers.tracker_power(), None),
        Part("powers of the video camera", _nothing, lambda _: powers.camera_power(), None),
        Part("power of the predictor", _nothing, lambda _: powers.tree_power(), None),
    )
    if quick:
        return from_powers
    return (
        *from_powers,
        Part("fitness tracker on routes", recordings.run_tracker, recordings.tracker_routes, recordings.BLANK),
        Part("video camera on videos", recordings.run_camera, recordings.camera_videos, recordings.BLANK),
        Part("correlation finder", correlation.run_cross_validation, correlation.cross_validation, correlation.BLANK),
        Part("rain gauge", correlation.run_weather, correlation.agriculture, correlation.BLANK_WEATHER),
    )


def _nothing(_: object) -> None:
    """What follows from printed powers is arithmetic."""
