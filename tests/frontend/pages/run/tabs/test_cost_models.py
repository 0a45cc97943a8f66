from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from frontend.bridge import get_app
from frontend.pages.run.tab import TabQuery
from webapp.runs.models import Run

LAYERS = {
    "network": ["Tiny", "Tiny"], "layer": ["conv", "fc"], "unit": ["nvdla-256", "shi-diannao-256"], "kind": ["conv", "gemm"],
    "latency_s": {"dataflow": [1.0, 2.0], "ideal-array": [1.0, 1.0]},
    "energy_j": {"dataflow": [1.0, 2.0], "ideal-array": [1.0, 1.0]},
    "by_kind": {"ideal-array": [["gemm", "shi-diannao-256", 0.25]]}, "notes": {"dataflow": ["A note."], "ideal-array": []},
    "disagreements": {"ideal-array": [{"row": 1, "ratio": 0.25, "reason": "partial sums"}]},
}  # fmt: skip
FOUND: dict[str, Any] = {
    "models": ["dataflow", "ideal-array"], "numbers": [3, 5], "metric": "latency_s", "metric_title": "Latency",
    "always": [1], "sometimes": [0, 1],
    "optimal": {"dataflow": [True, True], "ideal-array": [False, True]}, "least_regret": 1, "largest_regret": [None, 0.25],
    "values": {"dataflow": {"latency_s": [1.0, 1.25]}, "ideal-array": {"latency_s": [None, 1.0]}},
    "agreement": [["dataflow", "ideal-array", 0.5]], "layers": LAYERS,
}  # fmt: skip


@pytest.fixture
def query(run: Run) -> TabQuery:
    get_app()
    return TabQuery(run, 0, None, "linear", "light", {"width": 1280, "height": 800})


def test_designs_and_layers_stand_in_the_tab(query: TabQuery, monkeypatch: pytest.MonkeyPatch) -> None:
    from frontend.pages.run.tabs import cost_models

    monkeypatch.setattr(cost_models, "cost_model_comparison", lambda run: FOUND)
    page = str(cost_models.cost_models_panel(query))
    for words in (
        "Optimal under every model: 1 design.",
        "is 0.50: 1 means the same order",
        "Design 5 loses at most 25 %",
        "4 × the EDP under dataflow",
    ):
        assert words in page
    assert "Partial sums." in page and "dataflow: A note." in page
    figure = cost_models.layer_costs_figure(LAYERS, "dataflow", "ideal-array", "dark")
    assert [trace.name for trace in figure.data[1:]] == ["nvdla-256", "shi-diannao-256"]
    assert figure.data[2].x == (4.0,) and figure.data[2].y == (1.0,)


def test_a_refusal_stands_in_the_tab(query: TabQuery, monkeypatch: pytest.MonkeyPatch) -> None:
    from frontend.pages.run.tabs import cost_models

    def refused(_run: Run) -> None:
        raise ProblemError("run", "no designs", "a run with a design within its limits")

    monkeypatch.setattr(cost_models, "cost_model_comparison", refused)
    assert "a run with a design within its limits" in str(cost_models.cost_models_panel(query))
    assert cost_models.TAB.lacks is not None
