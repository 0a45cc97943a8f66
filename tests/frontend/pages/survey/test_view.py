"""What a survey says: figures with their certainty, reasons, and ways that lead on."""

from __future__ import annotations

from dataclasses import replace

from engines.survey.survey_result import SOCS, DeviceEstimate, DeviceMapping, SurveyRow
from frontend.figures.hardware.survey import survey_figure, survey_scales
from frontend.pages.survey.address import SurveyQuestion
from frontend.pages.survey.view import found_view
from tests.frontend.pages.deleted.cases import text_of
from tests.frontend.pages.survey.cases import BOARD, FOUND, PACKAGE


def words(kind: str = "all") -> str:
    return text_of(found_view(FOUND, SurveyQuestion("resnet50", kind), "light", 1280)).encode().decode("unicode_escape")


def test_devices_have_figures_with_their_error_and_others_a_reason() -> None:
    found = words()
    assert "54 layers, 4.10" in found and "3 devices run it, 1 cannot or lack values" in found
    assert "GPU 12 blocks, DLA 6 (best alone: GPU, 11.0\u00a0ms, 200\u00a0mJ)" in found
    assert "×/÷ 1.20" in found and "×/÷ 1.10" in found
    assert "◉ calibrated" in found and "□ data sheet" in found and "○ predicted" in found and "● measured" not in found
    assert "does not run topk" in found and found.count("Explore") == 3


def test_boards_stand_before_packages_and_devices_of_the_same_figures_are_folded() -> None:
    again = [replace(PACKAGE, name=f"variant-{number}", title=f"Variant {number}") for number in (1, 2)]
    found = text_of(
        found_view(
            replace(FOUND, devices=(PACKAGE, *again, *FOUND.devices[1:])), SurveyQuestion("resnet50"), "light", 1280
        )
    )
    order = (
        "hardware/jetson-agx-xavier",
        "Predicted for accelerators and packages",
        "hardware/simba-3x3-nvdla",
        "and 2 more",
    )
    places = [found.index(each) for each in order]
    assert places == sorted(places)
    assert found.count("Explore") == 3 and "Variant 2" in found


def test_picture_and_table_have_one_unit() -> None:
    time, energy = survey_scales(FOUND.devices)
    found = words()
    assert f'" {time.unit}"' in found and f'" {energy.unit}"' in found
    assert f"({energy.unit})" in str(survey_figure(FOUND.devices, "light").layout)


def test_one_kind_of_devices_can_be_shown_alone() -> None:
    assert "Simba" not in words("boards") and "Xavier" in words("boards")
    packages = words("packages")
    assert "Simba" in packages and "Xavier" not in packages and "Edge TPU" not in packages
    assert words("nonsense") == words("all")


def test_one_device_can_be_shown_alone() -> None:
    asked = SurveyQuestion("resnet50", device="jetson-agx-xavier")
    found = text_of(found_view(FOUND, asked, "light", 1280))
    assert "Xavier" in found and "Simba" not in found and "Edge TPU" not in found


def test_public_measurements_stand_beside_the_device_that_they_contradict() -> None:
    assert BOARD.priced is not None
    priced = replace(
        BOARD.priced, latency_factor=None, band="Off by 1.2 on 4 rows.", public="Measured in public: 1.98 ms."
    )
    devices = (PACKAGE, replace(BOARD, priced=priced))
    found = text_of(found_view(replace(FOUND, devices=devices), SurveyQuestion("resnet50"), "light", 1280))
    assert (
        "Measured in public: 1.98 ms." in found
        and "public measurements of this network lie outside" in found
        and "Off by 1.2 on 4 rows." in found
    )


def test_a_board_of_unknown_power_has_a_latency_and_says_why_it_has_no_energy() -> None:
    best = DeviceMapping(0.004, None, "NPU alone")
    reason = "The power of a unit is not published."
    board = SurveyRow(
        "rk", "RK board", SOCS, DeviceEstimate(best, best, (), True, "data sheet", "int8", energy_reason=reason)
    )
    found = text_of(
        found_view(replace(FOUND, devices=(*FOUND.devices[:2], board)), SurveyQuestion("resnet50"), "light", 1280)
    )
    assert "RK board" in found and reason in found and "/hardware/new?from=rk" in found
    alone = text_of(found_view(replace(FOUND, devices=(board,)), SurveyQuestion("resnet50"), "light", 1280))
    assert "No energy is known" in alone and "RK board" in alone


def test_devices_whose_bands_overlap_widely_are_named() -> None:
    mapping = DeviceMapping(1e-3, None, "NPU alone")
    estimate = DeviceEstimate(mapping, mapping, (), False, "calibration", "", 1.5)
    alike = tuple(SurveyRow(name, name, SOCS, estimate) for name in ("one", "two"))
    found = text_of(found_view(replace(FOUND, devices=alike), SurveyQuestion("resnet50"), "light", 1280))
    assert "1 pair without a faster device" in found and "one and two" in found
