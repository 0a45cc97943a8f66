from __future__ import annotations

from engines.chiplets.problem.decision import LAYOUTS, validate
from engines.chiplets.problem.tables import with_dataflow
from engines.methods.scar.course.baselines import baseline_label, other_packages, standalone_schedule
from tests.engines.chiplets.cases import package, tables


def test_labels() -> None:
    assert [baseline_label(layout) for layout in LAYOUTS] == [
        "Simba NVDLA", "Simba Shi-diannao", "Standalone NVDLA", "Standalone Shi-diannao",
    ]  # fmt: skip


def test_a_baseline_names_its_package_where_it_is_another_one() -> None:
    mixed = package()
    words = other_packages(mixed)
    assert set(words) == set(map(baseline_label, LAYOUTS))
    assert words["Standalone NVDLA"] == "package of NVDLA chiplets alone"
    assert set(other_packages(with_dataflow(mixed, "nvdla"))) == {"Simba Shi-diannao", "Standalone Shi-diannao"}


def test_standalone_is_one_chiplet_per_model_in_one_window() -> None:
    built = tables({f"m{i}": [[1, 2], [1, 2]] for i in range(4)})
    schedule = standalone_schedule(built, "nvdla")
    assert schedule is not None
    validate(schedule, built)
    assert [p.path for p in schedule.windows[0]] == [(0,), (2,), (3,), (5,)]
    assert [p.cuts for p in schedule.windows[0]] == [(2,)] * 4


def test_standalone_needs_a_chiplet_per_model() -> None:
    assert standalone_schedule(tables({f"m{i}": [[1], [1]] for i in range(7)}), "nvdla") is None


def test_standalone_starts_anywhere_once_the_interfaces_are_taken() -> None:
    built = tables({f"m{i}": [[1], [1]] for i in range(6)})
    schedule = standalone_schedule(built, "nvdla")
    assert schedule is not None
    validate(schedule, built)
    assert sorted(p.path[0] for p in schedule.windows[0]) == [0, 1, 2, 3, 4, 5]
