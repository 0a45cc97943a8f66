"""Language models on boards: errors of models that a fit has not seen, the baseline beside them, and the time of a survey."""

from __future__ import annotations

import sys
import time

from benchmarks.report import Figure, show, tell
from engines.survey.language.measurements import measured_models
from engines.survey.language.survey import survey_language
from engines.survey.language.validation import ValidationGroup, validation_groups
from engines.survey.survey_result import SurveyOptions
from hardware.soc.loader import builtin_socs, load_soc

# Board of a vendor -> largest median of decode, in per cent.
LARGEST_DECODE_MEDIANS = {"rk3588": 5.0, "rk3576": 5.0, "snapdragon-8-elite": 15.0, "snapdragon-8-elite-gen-5": 15.0}
LARGEST_DECODE_ERROR, WORST_LIMITED = 20.0, ("rk3588", "rk3576")
LARGEST_PREFILL_MEDIAN = 20.0
LONGEST_THREE_SURVEYS_S, LONGEST_RESULT_S = 3.0, 0.3
BITS = ("w4a16", "w8a8", "fp16")
MODEL = "qwen3-0-6b"
_PER_CENT = 100.0


def errors(group: ValidationGroup) -> list[Figure]:
    """Return median and worst error of a board, and the baseline."""
    name = f"{group.board} {group.bits} {group.stage}, {group.count} measurements"
    limited = LARGEST_DECODE_MEDIANS.get(group.board)
    if group.stage == "prefill":
        limited = None if limited is None else LARGEST_PREFILL_MEDIAN
    worst = LARGEST_DECODE_ERROR if group.stage == "decode" and group.board in WORST_LIMITED else None
    figures = [
        Figure(f"{name}: median error", _PER_CENT * group.error_median, "%", limited),
        Figure(f"{name}: worst ({group.worst_model})", _PER_CENT * group.error_worst, "%", worst),
    ]
    if group.baseline_median is not None and group.baseline_worst is not None:
        figures.append(Figure(f"{name}: baseline, median", _PER_CENT * group.baseline_median, "%"))
        figures.append(Figure(f"{name}: baseline, worst", _PER_CENT * group.baseline_worst, "%"))
    return figures


def surveys() -> list[Figure]:
    """Return the seconds of one survey of all boards, and of three in different bits."""
    model = measured_models()[MODEL]
    devices = [(name, load_soc(content, name)) for name, content in builtin_socs().items()]
    begin, seconds = time.perf_counter(), []
    for bits in BITS:
        survey_language(model, devices, options=SurveyOptions(bits=bits))
        seconds.append(time.perf_counter() - begin)
    name = f"{MODEL} on {len(devices)} boards"
    return [
        Figure(f"{name}: configuration to result", seconds[0], "s", LONGEST_RESULT_S),
        Figure(f"{name} in {len(BITS)} bit widths", seconds[-1], "s", LONGEST_THREE_SURVEYS_S),
    ]


def main() -> int:
    """Print all figures."""
    figures = surveys()
    tell("each model is predicted by the measurements of the other models")
    return show([*figures, *(figure for group in validation_groups() for figure in errors(group))])


if __name__ == "__main__":
    sys.exit(main())
