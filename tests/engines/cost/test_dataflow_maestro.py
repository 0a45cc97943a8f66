"""The dataflow model against MAESTRO's tables."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from engines.cost.dataflow.model import MAPPINGS
from tests.engines.cost.maestro_tables import COMPARABLE, Rows

CHECKED = [name for name, mapping in MAPPINGS.items() if mapping.checked]


def test_the_tables_cover_each_checked_mapping_and_stride() -> None:
    rows = Rows.read(*COMPARABLE)
    assert len(rows) == 708
    assert CHECKED == ["kcp_ws", "ykp_os", "dpt"]
    for mapping in CHECKED:
        chosen = rows.where(mapping=mapping)
        assert {"1", "2", "4"} == {row["stride"] for row in chosen.rows}
        assert {"fuzz", "Resnet50", "MobileNetV2"} <= {row["network"] for row in chosen.rows}


@pytest.mark.parametrize("mapping", CHECKED)
def test_cycles_are_those_of_maestro_on_every_row(mapping: str) -> None:
    cycles, _ = Rows.read(*COMPARABLE).where(mapping=mapping).errors(mapping)
    assert np.count_nonzero(cycles) == 0


@pytest.mark.parametrize("mapping", CHECKED)
def test_energy_is_that_of_maestro_on_every_row_but_one(mapping: str) -> None:
    rows = Rows.read(*COMPARABLE).where(mapping=mapping)
    _, energy = rows.errors(mapping)
    # A layer of one output for which MAESTRO counts -305,760 multiply-accumulates, and energy accordingly.
    excepted = [i for i, row in enumerate(rows.rows) if (row["layer"], row["mapping"]) == ("f71_conv", "ykp_os")]
    assert np.flatnonzero(energy).tolist() == excepted
    assert all(0.2 < energy[i] < 0.22 for i in excepted)


@pytest.mark.parametrize("mapping", CHECKED)
def test_macs_are_the_true_ones(mapping: str) -> None:
    rows = Rows.read(*COMPARABLE, "off_chip.csv").where(mapping=mapping)
    shapes = rows.shapes
    counted = shapes.c * shapes.r * shapes.s * shapes.output_rows * shapes.output_columns
    assert (rows.whole("macs") == counted * np.where(shapes.depthwise, 1, shapes.k)).all()
    assert (Rows.read(*COMPARABLE).where(mapping=mapping).costs(mapping).macs > 0).all()


@pytest.mark.parametrize("mapping", CHECKED)
def test_the_off_chip_rule_and_buffer_needs_are_those_of_maestro(mapping: str) -> None:
    rows = Rows.read("off_chip.csv").where(mapping=mapping)
    costs = rows.costs(mapping)
    assert len(rows) > 50
    assert (costs.cycles == rows.reals("cycles")).all()
    assert (costs.level1_need_elements == rows.reals("level1_need_elements")).all()
    assert (costs.level2_need_elements == rows.reals("level2_need_elements")).all()


def test_the_plain_reading_of_rows_differs_on_strided_layers_alone() -> None:
    cycles, energy = Rows.read("stride_1.csv").where(mapping="ykp_os").errors("ykp_os_rows")
    assert np.count_nonzero(cycles) == np.count_nonzero(energy) == 0
    _, energy = Rows.read("strided.csv").where(mapping="ykp_os").errors("ykp_os_rows")
    assert np.count_nonzero(energy) > 0


DOCUMENT = (Path(__file__).parents[3] / "docs" / "cost-model.md").read_text()


def test_the_document_lists_each_mapping_and_what_is_not_checked() -> None:
    for name, mapping in MAPPINGS.items():
        said = re.search(rf"^\| `{name}` \| [^|]+ \| ([^|]+) \|$", DOCUMENT, re.MULTILINE)
        assert said is not None
        assert said[1] == ("checked" if mapping.checked else "not checked against MAESTRO")


def test_the_document_states_the_agreement_that_is_measured() -> None:
    said = re.findall(r"^\| `(\w+)` \| (\d) \| (\d+) \| (\d+) \| (\d+) \|", DOCUMENT, re.MULTILINE)
    measured = []
    for name in CHECKED:
        for stride in ("1", "2", "4"):
            rows = Rows.read(*COMPARABLE).where(mapping=name, stride=stride)
            exact = [str(np.count_nonzero(errors == 0)) for errors in rows.errors(name)]
            measured.append((name, stride, str(len(rows)), *exact))
    assert said == measured
