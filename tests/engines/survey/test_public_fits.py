"""Estimates by public measurements: which boards have one, and which devices cannot be told apart."""

from dataclasses import replace

from engines.survey.public_fits import fitted_estimate, indistinct
from engines.survey.survey_result import SOCS, DeviceEstimate, DeviceMapping, SurveyOptions, SurveyRow
from engines.workloads.loader import builtin_network
from hardware.soc.loader import builtin_socs, load_soc


def _row(title: str, latency_s: float, factor: float | None) -> SurveyRow:
    mapping = DeviceMapping(latency_s, None, "NPU alone")
    return SurveyRow(title, title, SOCS, DeviceEstimate(mapping, mapping, (), False, "calibration", "", factor))


def test_devices_are_told_apart_where_their_bands_do_not_overlap_widely() -> None:
    near, far = _row("near", 0.0011, 1.6), _row("far", 0.004, 1.6)
    rows = (_row("first", 0.001, 1.6), near, far, _row("unknown", 0.0011, None))
    assert indistinct(rows) == (("first", "near"),)
    assert indistinct((_row("first", 0.001, 1.02), near)) != indistinct((_row("first", 0.001, 1.02), replace(far)))


def test_other_boards_power_modes_and_copies_have_no_estimate_by_public_measurements() -> None:
    network, usual = builtin_network("resnet50"), SurveyOptions()
    rk3588 = load_soc(builtin_socs()["rk3588"], "rk3588")
    found = fitted_estimate(rk3588, network, usual)
    assert found is not None and found.certainty == "calibrated" and found.latency_factor
    assert fitted_estimate(rk3588, network, SurveyOptions(power_mode="mode-15w")) is None
    assert fitted_estimate(rk3588, network, SurveyOptions(bits="w4a16")) is None
    assert fitted_estimate(replace(rk3588, slug="my-copy"), network, usual) is None
    for other in ("jetson-orin-nx-16gb", "google-edge-tpu", "raspberry-pi-5", "snapdragon-855"):
        assert fitted_estimate(load_soc(builtin_socs()[other], other), network, usual) is None
