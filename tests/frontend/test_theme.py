from __future__ import annotations

from dataclasses import asdict

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from frontend import theme
from frontend.vendor import plotly_archive, unpack_plotly


@pytest.mark.parametrize("scheme", theme.SCHEMES)
def test_text_reads_well_on_what_lies_behind_it(scheme):
    tokens = theme.TOKENS[scheme]
    pairs = [(ink, ground) for ink in ("text", "text2", "text3") for ground in ("surface", "bg", "sunken")]
    pairs += [
        ("accent_text", "surface"),
        ("accent_text", "accent_weak"),
        ("on_accent", "accent"),
        ("text", "accent_weak"),
    ]
    pairs += [(tone, ground) for tone in ("good", "warn", "bad") for ground in ("surface", f"{tone}_weak")]
    values = asdict(tokens)
    poor = {pair: round(theme.contrast(values[pair[0]], values[pair[1]]), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("fill", theme.MODELS)
def test_words_and_edges_of_models_stand_out(fill):
    assert theme.contrast(theme.ink_on(fill), fill) >= 4.5
    assert max(theme.contrast(fill, "#FFFFFF"), theme.contrast(theme.edge_of(fill, "light"), "#FFFFFF")) >= 3
    surface = theme.TOKENS["dark"].surface
    assert max(theme.contrast(fill, surface), theme.contrast(theme.edge_of(fill, "dark"), surface)) >= 2.4


def test_it_knows_contrast_of_black_and_white():
    assert theme.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert theme.mix("#000000", "#FFFFFF", 0.5) == "#808080"


@pytest.mark.parametrize("scheme", theme.SCHEMES)
def test_templates_pass_plotlys_own_validation(scheme):
    go.Figure(layout={"template": theme.TEMPLATES[scheme].to_plotly_json()})


def test_an_unknown_dataflow_is_drawn_plainly_under_its_own_name():
    style = theme.hardware_style("systolic")
    assert (style.label, style.pattern) == ("systolic", "")


def test_models_beyond_the_eighth_share_the_last_colour():
    assert theme.model_colour(11) == theme.model_colour(7) != theme.model_colour(6)


def test_the_bundle_of_plotly_is_the_one_that_plotly_draws_for(tmp_path):
    assert get_plotlyjs_version() in plotly_archive().name
    target = unpack_plotly(tmp_path / "vendor")
    text = target.read_text()
    assert f"plotly.js (strict - minified) v{get_plotlyjs_version()}" in text[:200]
    before = target.stat()
    assert unpack_plotly(tmp_path / "vendor").stat().st_ino == before.st_ino  # not unpacked again
