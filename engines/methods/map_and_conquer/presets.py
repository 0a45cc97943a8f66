"""Problems of the publication, ready to run."""

from __future__ import annotations

from engines.contract.engine import Preset

_XAVIER = {"hardware": "jetson-agx-xavier", "calibration": "xavier-map-and-conquer"}
_VISFORMER = {**_XAVIER, "workload": "visformer-small"}
_VGG19 = {**_XAVIER, "workload": "vgg19"}
_DIGITS = {"hardware": "jetson-agx-xavier", "workload": "digits-chain"}
_TRAINED = {"finalists": 5, "base_accuracy_percent": 98.0, "clocks": "fixed"}

PRESETS = (
    Preset("visformer", "Map-and-Conquer: Visformer, no limit on reuse", _VISFORMER),
    Preset("visformer-75", "Visformer, at most 75 % reused", _VISFORMER, {"reuse_most_percent": 75.0}),
    Preset("visformer-50", "Visformer, at most 50 % reused", _VISFORMER, {"reuse_most_percent": 50.0}),
    Preset("vgg19", "VGG19, no limit on reuse", _VGG19, {"base_accuracy_percent": 80.55}),
    Preset("digits", "Handwritten digits, stages trained and measured", _DIGITS, _TRAINED),
)
