from dataclasses import replace

import numpy as np
import pytest

from engines.cost.package.area import (
    PARTS,
    area_coefficients,
    area_data,
    fit_rows,
    least_squares,
    package_area_mm2,
    package_area_parts_mm2,
)
from hardware.package.loader import builtin_hardware, load_package

BASE = load_package(builtin_hardware()["simba-3x3-het-sides"])


def test_least_squares_equals_the_library() -> None:
    random = np.random.default_rng(1)
    design, values = random.random((8, 3)), random.random(8)
    expected = np.linalg.lstsq(design, values, rcond=None)[0]
    np.testing.assert_allclose(least_squares(design.tolist(), values.tolist()), expected, rtol=1e-9)


def test_fitted_rows_are_met_within_8_percent_and_the_unseen_die_within_10() -> None:
    *fitted, check = fit_rows()
    assert len(fitted) == 7
    assert max(abs(row.error_percent) for row in fitted) < 8
    assert "predicted" in check.title and abs(check.error_percent) < 10


def test_every_figure_has_a_source() -> None:
    data = area_data()
    assert all(data[part]["source"] for part in ("accelerators", "check", "links", "interfaces"))


def test_parts_of_a_3x3_package_by_hand() -> None:
    one, parts = area_coefficients(), package_area_parts_mm2(BASE)
    assert parts.shape == (9, len(PARTS))
    fixed, elements, buffers, links, interfaces = parts.sum(axis=0)
    assert fixed == pytest.approx(9 * one.fixed_mm2)
    assert elements == pytest.approx(9 * 4096 * one.mac_mm2)
    assert buffers == pytest.approx(9 * 10 * 1024 * one.buffer_mm2_per_kib)
    # 12 links of a 3x3 mesh, each with a sender and a receiver at both ends; 100 GB/s are 40 wires of 2.5 GB/s.
    assert links == pytest.approx(12 * 2 * 2 * (40 * one.wire_mm2 + one.clock_mm2))
    # Six chiplets with an interface of 64 GB/s; 10 % of 331 mm2 carry 49.75 GB/s.
    assert interfaces == pytest.approx(6 * 64 * 33.1 / 49.75)
    assert package_area_mm2(BASE) == pytest.approx(parts.sum())


def test_other_nodes_scale_chiplets_alone() -> None:
    half = package_area_parts_mm2(replace(BASE, process_node_nm=14.0))
    np.testing.assert_allclose(half[:, :3], package_area_parts_mm2(BASE)[:, :3] / 4)
    np.testing.assert_allclose(half[:, 3:], package_area_parts_mm2(BASE)[:, 3:])


def test_area_rises_with_every_choice() -> None:
    more = [
        replace(BASE, chiplets=tuple(replace(c, processing_elements=8192) for c in BASE.chiplets)),
        replace(BASE, network=replace(BASE.network, bandwidth_bytes_per_s=2e11)),
        replace(BASE, memory=replace(BASE.memory, bandwidth_bytes_per_s=1e11)),
        replace(BASE, memory=replace(BASE.memory, sides=("left", "right", "top"))),
    ]
    assert all(package_area_mm2(package) > package_area_mm2(BASE) for package in more)
