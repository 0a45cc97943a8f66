from __future__ import annotations

import re
from pathlib import Path

import pytest

from frontend import theme
from frontend.build_assets import generated
from frontend.folders import ASSETS
from frontend.vendor import unpack_plotly

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
    assert path.read_bytes() == generated()[path], "run `python -m frontend.build_assets`"


def test_every_icon_that_is_used_exists():
    there = {path.stem for path in (ASSETS / "icons").glob("*.svg")}
    used = set()
    for path in FRONTEND.rglob("*.py"):
        used |= set(
            re.findall(
                r"""(?:\b\w*icon\(|icon=|icon_button\(|empty_state\()\s*["']([a-z0-9-]+)["']""", path.read_text()
            )
        )
    assert used and used <= there


def test_unpacking_replaces_an_older_bundle(tmp_path):
    old = tmp_path / "plotly-strict-1.0.0.min.js"
    old.write_text("old")
    target = unpack_plotly(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
