"""Files of an application."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from engines.data.documents import builtin_data_sets, load_image_data
from engines.data.scaling import NOT_STORED, Scaling
from engines.methods.sbrs.search.report import _plan
from engines.methods.sbrs.supergraph import derive
from tests.engines.methods.sbrs.cases import example


def test_the_plan_says_how_recorded_signals_become_input() -> None:
    graph, images = derive(example(), ()), load_image_data(builtin_data_sets()["digits"])
    assert "scaling" not in json.loads(_plan(graph, images))
    signals = replace(images, width=1)
    assert json.loads(_plan(graph, signals))["scaling"] == " ".join(NOT_STORED)
    scaling = Scaling(np.array([101325.0]), np.array([5.0]), ("pressure",))
    found = json.loads(_plan(graph, replace(signals, scaling=scaling)))["scaling"]
    assert found == {"channels": ["pressure"], "mean": [101325.0], "deviation": [5.0]}
