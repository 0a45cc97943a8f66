"""Colours stay apart for people who see no difference between red and green."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from engines.contract.arrays import FloatArray
from frontend.theme import MODELS, RUNS, SCHEMES, TOKENS

# Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of color vision deficiency", table 1,
# severity 1.0: what linear sRGB becomes.
SIGHTS = {
    "everybody": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
# sRGB (D65) to XYZ, and the white point, IEC 61966-2-1.
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> FloatArray:
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(colour: str, sight: str) -> FloatArray:
    """CIE L*a*b* of a colour as it is seen."""
    seen = np.clip(SIGHTS[sight] @ linear(colour), 0.0, 1.0)
    ratios = XYZ @ seen / WHITE
    f = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(first: str, second: str, sight: str) -> float:
    """Delta E (CIE 1976): about 2 is just seen, from 10 on colours are different at a glance."""
    return float(np.linalg.norm(lab(first, sight) - lab(second, sight)))


def test_the_measure_itself() -> None:
    """White has a lightness of 100 and no hue; red and green of equal lightness are near for a deuteranope."""
    assert lab("#FFFFFF", "everybody") == pytest.approx([100, 0, 0], abs=0.02)
    assert lab("#FF0000", "everybody") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert distance("#B06000", "#608000", "everybody") > 40 > 15 > distance("#B06000", "#608000", "deuteranopia")


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_first_four_runs_differ_at_a_glance(scheme: Any, sight: str) -> None:
    colours = {run.letter: run.colour[scheme] for run in RUNS[:4]}
    near = {pair: distance(colours[pair[0]], colours[pair[1]], sight) for pair in combinations(colours, 2)}
    assert min(near.values()) > 10, near


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_run_has_a_letter_a_marker_and_a_dash_of_its_own(scheme: Any) -> None:
    """From the fifth on colour alone does not do."""
    for part in ("letter", "symbol", "dash"):
        assert len({getattr(run, part) for run in RUNS}) == len(RUNS)
    assert len({run.colour[scheme] for run in RUNS}) == len(RUNS)


@pytest.mark.parametrize("sight", SIGHTS)
def test_models_next_to_each_other_differ(sight: str) -> None:
    """A workload lists its models in this order: those that often meet must not look the same."""
    near = {pair: distance(*pair, sight) for pair in combinations(MODELS[:4], 2)}
    assert min(near.values()) > 10, near


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_well_is_told_from_what_is_not(scheme: Any, sight: str) -> None:
    """Warnings and errors both ask to be looked at, and say which they are in words."""
    tokens = TOKENS[scheme]
    pairs = [(tokens.good, tokens.bad), (tokens.good, tokens.warn)]
    pairs += [(tokens.accent, other) for other in (tokens.good, tokens.bad, tokens.warn)]
    near = {pair: distance(*pair, sight) for pair in pairs}
    assert min(near.values()) > 10, near
