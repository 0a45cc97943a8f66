from __future__ import annotations

from dataclasses import replace

import pytest

from engines.methods.sbrs.reproduction.runs import SampledApplication
from engines.methods.sbrs.reproduction.sampled_applications import drawn_networks
from engines.reproduction.comparisons import Comparison

ONE = SampledApplication(10.0, {"A_IOpar": 2.0, "A_IO": 8.0}, 4.0, {"A_IOpar": 3.0, "A_IO": 2.0})


OTHER = SampledApplication(20.0, {"A_IOpar": 10.0, "A_IO": 18.0}, 6.0, {"A_IOpar": 5.0, "A_IO": 4.0})


LAST = SampledApplication(60.0, {"A_IOpar": 48.0, "A_IO": 57.0}, 20.0, {"A_IOpar": 13.0, "A_IO": 9.0})


def rows_of(*drawn: SampledApplication, application: str = "pamap2") -> dict[str, Comparison]:
    """Rows by what they say after the application's name."""
    found = {each.name: each for each in drawn_networks(application, drawn)}
    return {name.partition(", A = ")[2] or name: each for name, each in found.items()}


def test_networks_that_are_drawn_save_what_their_memories_say() -> None:
    found = rows_of(ONE, OTHER, LAST)
    assert found["PAMAP2: separate networks"].ours == 30.0  # MB, of 10, 20 and 60
    assert found["{I, O, par}: memory"].ours == 20.0  # of 2, 10 and 48
    assert found["{I, O}: memory"].ours == pytest.approx(83 / 3)  # of 8, 18 and 57
    assert found["{I, O, par}: memory saved"].ours == pytest.approx(50.0)  # 80, 50 and 20 % of 10, 20 and 60 MB
    assert found["{I, O}: memory saved"].ours == pytest.approx(35 / 3)  # 20, 10 and 5 %
    assert found["{I, O, par}: memory saved"].ordering is found["{I, O}: memory saved"].ordering is True
    assert found["PAMAP2: naive switching"].ours == 10.0  # ms, of 4, 6 and 20
    assert found["{I, O, par}: SBRS-TP"].ours == 7.0 and found["{I, O}: SBRS-TP"].ours == 5.0
    assert found["{I, O}: SBRS-TP"].ordering is True
    pictures = rows_of(ONE, application="voc")
    assert "PAMAP2: naive switching" not in pictures
    assert "224 x 224" in pictures["{I, O}: memory"].why and "224 x 224" not in found["{I, O}: memory"].why


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"shared_mb": {"A_IOpar": 9.0, "A_IO": 8.0}}, "memory saved"),
        ({"shared_mb": {"A_IOpar": 2.0, "A_IO": 11.0}}, "memory saved"),
        ({"delay_ms": {"A_IOpar": 2.0, "A_IO": 3.0}}, "SBRS-TP"),
        ({"delay_ms": {"A_IOpar": 4.5, "A_IO": 2.0}}, "SBRS-TP"),
    ],
)
def test_one_application_in_the_wrong_order_is_enough(changes: dict[str, dict[str, float]], kind: str) -> None:
    found = rows_of(OTHER, replace(ONE, **changes))  # type: ignore[arg-type]
    assert [found[f"{{I, O{more}}}: {kind}"].ordering for more in (", par", "")] == [False, False]


def test_equal_memories_are_in_order() -> None:
    even = SampledApplication(5.0, {"A_IOpar": 5.0, "A_IO": 5.0}, 3.0, {"A_IOpar": 3.0, "A_IO": 3.0})
    assert all(each.ordering in (None, True) for each in rows_of(even).values())
