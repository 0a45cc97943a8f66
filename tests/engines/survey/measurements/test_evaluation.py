"""The fits that ship with the product, predictions from them, and the comparison with a file from outside."""

import csv
from pathlib import Path

import pytest

from engines.survey.measurements.evaluation import evaluate
from engines.survey.measurements.fits import LEAST_ROWS, builtin_fits, seen_digests
from engines.survey.measurements.pools import LEAST_NETWORKS, row_pools
from engines.survey.measurements.prediction import LARGEST_CALIBRATED_BAND, predict_row
from engines.survey.measurements.rows import COLUMNS, MeasuredRow, measured_rows, read_rows

_LINE = {
    "source": "quic/ai-hub-models", "device": "Snapdragon X Elite CRD", "soc": "qualcomm-snapdragon-x-elite", "unit": "NPU",
    "runtime": "qnn_dlc", "precision": "float", "model": "ResNet50", "model_slug": "resnet50", "input": "1x3x224x224",
    "batch": "1", "metric": "latency_ms", "value": "2.2", "unit_of_value": "ms",
}  # fmt: skip


def _rows(tmp_path: Path, *changes: dict[str, str]) -> tuple[MeasuredRow, ...]:
    file = tmp_path / "rows.csv"
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows({**_LINE, **change} for change in changes)
    return read_rows(file)


def test_shipped_fits_are_of_the_shipped_rows() -> None:
    pools = {each.key: each for each in row_pools(measured_rows())}
    assert {fit.key for fit in builtin_fits()} == set(pools)
    for fit in builtin_fits():
        own = pools[fit.key]
        assert fit.errors.rows == len(own.rows)
        assert sorted(digest for group in fit.groups for digest in group.seen) == sorted(row.digest for row in own.rows)
        assert len(own.pool.networks) >= LEAST_NETWORKS
    costs = pools[builtin_fits()[-1].key].pool.fit()
    shipped = {group.group: group.costs_ms for group in builtin_fits()[-1].groups}
    for place, group in enumerate(pools[builtin_fits()[-1].key].pool.groups):
        assert shipped[group] == pytest.approx(costs.of_groups[place].tolist(), rel=2e-3, abs=1e-9)


def test_bands_of_groups_with_few_rows_are_those_of_the_family() -> None:
    for fit in builtin_fits():
        for row in (row for row in measured_rows() if not row.reason):
            prediction = predict_row(row)
            if prediction is None or prediction.certainty != "calibrated":
                continue
            group = next((g for g in fit.groups if row.digest in g.seen), None)
            assert prediction.band <= LARGEST_CALIBRATED_BAND
            if group:
                assert prediction.band_of == ("device" if group.errors.rows >= LEAST_ROWS else "family")
                break


def test_a_device_without_measurements_is_predicted_from_its_family(tmp_path: Path) -> None:
    (elite, hailo) = evaluate(
        _rows(
            tmp_path, {},
            {"device": "Hailo-8L", "soc": "Hailo-8L", "runtime": "HailoRT", "precision": "int8", "metric": "throughput_fps",
             "unit_of_value": "1/s", "value": "300", "source": "hailo-ai/hailo_model_zoo", "model": "mobilenet_v1",
             "model_slug": "mobilenet-v1"},
        )
    )  # fmt: skip
    for group in (elite, hailo):
        (one,) = group.comparisons
        assert one.prediction is not None
        assert (one.prediction.certainty, one.prediction.band_of) == ("predicted", "devices without measurements")
        assert one.prediction.band > 1.5 and not one.seen
    assert "v73" in elite.comparisons[0].prediction.words  # type: ignore[union-attr]
    assert "published peaks" in hailo.comparisons[0].prediction.words  # type: ignore[union-attr]


def test_an_estimate_with_a_wide_band_is_called_predicted() -> None:
    row = next(row for row in measured_rows("hailo-8") if not row.reason and row.batch == 1)
    prediction = predict_row(row)
    assert prediction is not None and prediction.band > LARGEST_CALIBRATED_BAND
    assert (prediction.certainty, prediction.band_of) == ("predicted", "device")


def test_rows_that_a_fit_has_seen_are_counted_whatever_their_value(tmp_path: Path) -> None:
    row = next(row for row in measured_rows() if row.digest in seen_digests() and row.quantity == "latency")
    same = {
        "device": row.measured_on, "unit": row.unit, "runtime": row.runtime, "precision": row.precision, "model": row.model,
        "input": row.input_size, "model_slug": row.model_slug, "value": str(row.value * 1234),
    }  # fmt: skip
    assert evaluate(_rows(tmp_path, same))[0].rows_seen_in_fit == 1
    assert evaluate(_rows(tmp_path, {}))[0].rows_seen_in_fit == 0


def test_skipped_rows_say_why(tmp_path: Path) -> None:
    (group,) = evaluate(_rows(tmp_path, {}, {"batch": "8"}, {"model": "x", "model_slug": "x"}, {}))
    plain = group.plain()
    assert (plain["rows"], plain["used"]) == (4, 1)
    assert [each["row"] for each in plain["skipped"]] == [3, 4, 5]
    assert [each["reason"].split()[0] for each in plain["skipped"]] == ["The", "The", "The"]
    assert plain["median_error"] is not None and plain["coverage_90"] in (0, 1)
