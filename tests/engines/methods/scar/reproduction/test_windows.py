from __future__ import annotations

from math import isnan

from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.rows import SIDES, Rows
from engines.methods.scar.reproduction.runs import MAESTRO_LAYERS, Case, ModelWindows, Outcome
from engines.methods.scar.reproduction.windows import window_table
from tests.engines.methods.scar.reproduction.cases import figures, ours, rows_of


def test_the_table_of_windows() -> None:
    # Two windows; GPT-L ends in the second, U-Net in the first. Windows last as long as their slowest model: 5 s and 4 s.
    models = (
        ModelWindows("gpt", 7, (5.0, 2.0), (4, 3)),
        ModelWindows("bert", 6, (1.0, 4.0), (2, 4)),
        ModelWindows("unet", 3, (3.0, 0.0), (3, 0)),
        ModelWindows("resnet", 2, (0.0, 1.0), (0, 2)),
    )
    known = [(MAESTRO_LAYERS, SIDES, {}, Outcome(figures(), {}, models, 1.0))]
    found = ours(window_table(rows_of(known)))
    assert [found[f"Window {number}"] for number in range(5)] == [5, 4, 0, 0, 0] and found["All windows"] == 9
    assert [found[f"Window {number}, layers"] for number in range(5)] == [9, 9, 0, 0, 0]
    ends = {"GPT-L": (7, 7, 7), "BERT-L": (5, 9, 6), "U-Net": (3, 3, 3), "ResNet": (1, 6, 2)}
    for model, (alone, end, layers) in ends.items():
        assert found[f"{model}, sum of its windows"] == alone
        assert found[f"{model}, end to end"] == end
        assert found[f"{model}, layers"] == layers


def test_a_model_that_takes_no_time_ends_at_once() -> None:
    models = tuple(ModelWindows(str(place), 1, (2.0, 3.0 if place else 0.0), (1, 1)) for place in range(3))
    idle = ModelWindows("idle", 1, (0.0, 0.0), (0, 0))
    known = [(MAESTRO_LAYERS, SIDES, {}, Outcome(figures(), {}, (*models, idle), 1.0))]
    assert ours(window_table(rows_of(known)))["ResNet, end to end"] == 0


def test_without_a_schedule_the_table_of_windows_has_no_seconds_and_no_layers() -> None:
    found = ours(window_table(Rows(base.DEFAULT_READING, lambda _: Case("w", "p", ()).blank())))
    assert isnan(found["All windows"]) and isnan(found["GPT-L, end to end"])
    assert found["GPT-L, layers"] == 0 == found["Window 0, layers"]
