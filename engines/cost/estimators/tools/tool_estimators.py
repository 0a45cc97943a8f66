"""The cost models of installed tools by name."""

from __future__ import annotations

from collections.abc import Mapping

from engines.cost.estimators.tools.scalesim import ScaleSimEstimator
from engines.cost.estimators.tools.tool_estimator import ToolEstimator
from engines.cost.estimators.tools.zigzag import ZigZagEstimator

TOOL_ESTIMATORS: Mapping[str, type[ToolEstimator]] = {each.name: each for each in (ScaleSimEstimator, ZigZagEstimator)}
