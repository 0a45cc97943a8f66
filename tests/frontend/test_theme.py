from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from frontend import theme
from frontend.build_assets import generated
from frontend.folders import ASSETS
from frontend.vendor import plotly_archive, unpack_plotly

FRONTEND = Path(theme.__file__).parent
HEX = re.compile(r"(?<![\w&/])#(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3,4})\b(?![-\w])")


def test_it_writes_every_colour_in_one_place():
    written = set(generated())
    found = {}
    for suffix in ("py", "css", "js"):
        for path in FRONTEND.rglob(f"*.{suffix}"):
            if path.name == "theme.py" or path in written or "vendor" in path.parts:
                continue
            if colours := HEX.findall(path.read_text()):
                found[str(path.relative_to(FRONTEND))] = colours
    assert found == {}


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_it_keeps_generated_assets_current(path):
    assert path.read_text() == generated()[path], "run `python -m frontend.build_assets`"


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


def test_every_icon_that_is_used_exists():
    there = {path.stem for path in (ASSETS / "icons").glob("*.svg")}
    used = set()
    for path in FRONTEND.rglob("*.py"):
        used |= set(re.findall(r"""(?:\bicon\(|icon=|icon_button\()\s*["']([a-z0-9-]+)["']""", path.read_text()))
    assert used and used <= there


def test_the_bundle_of_plotly_is_the_one_that_plotly_draws_for(tmp_path):
    assert get_plotlyjs_version() in plotly_archive().name
    target = unpack_plotly(tmp_path / "vendor")
    text = target.read_text()
    assert f"plotly.js (strict - minified) v{get_plotlyjs_version()}" in text[:200]
    before = target.stat()
    assert unpack_plotly(tmp_path / "vendor").stat().st_ino == before.st_ino  # not unpacked again


def test_unpacking_replaces_an_older_bundle(tmp_path):
    old = tmp_path / "plotly-strict-1.0.0.min.js"
    old.write_text("old")
    target = unpack_plotly(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
