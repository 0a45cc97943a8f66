from __future__ import annotations

from pathlib import Path

import pytest

from webapp.catalogue.command_line import upload_from

pytestmark = pytest.mark.django_db


def test_figures_that_hardware_leaves_open_are_not_said_of_networks(tmp_path: Path) -> None:
    options = {"dim": ["clock_mhz=200", "n=2"], "exclude": ["NonZero"]}
    for name, kind, dims in (
        ("a.yaml", "hardware", {"clock_mhz": 200}),
        ("a.onnx", "workload", {"n": 2}),
        ("a.yaml", "workload", {}),
    ):
        file = tmp_path / name
        file.write_bytes(b"x")
        assert upload_from(file, options, kind).dims == dims
