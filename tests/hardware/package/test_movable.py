from __future__ import annotations

from hardware.package.loader import builtin_hardware, load_package
from hardware.package.movable import package_figures
from hardware.value_edits import with_values


def test_every_package_stays_valid_at_both_ends_of_every_figure() -> None:
    for content in list(builtin_hardware().values())[::5]:
        figures = package_figures(content)
        assert len({figure.name for figure in figures}) == len(figures)
        for figure in figures:
            for end in (figure.low, figure.value, figure.high):
                load_package(with_values(content, figure.at(end), "assumed"))


def test_sides_are_added_to_those_that_there_are_and_the_stored_ones_come_back() -> None:
    content = builtin_hardware()["simba-3x3-het-sides"]
    sides = next(figure for figure in package_figures(content) if figure.name == "sides")
    key = "off_chip_memory.interface_sides"
    assert sides.at(sides.value)[key] == content["off_chip_memory"]["interface_sides"] == ["left", "right"]
    assert sides.at(3)[key] == ["left", "right", "top"] and sides.at(1)[key] == ["left"]


def test_classes_of_chiplets_are_moved_apart() -> None:
    names = [figure.name for figure in package_figures(builtin_hardware()["simba-3x3-het-sides"])]
    assert {"elements-N", "elements-S", "buffer-N", "buffer-S"} <= set(names)
