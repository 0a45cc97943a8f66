"""The conformance suites of engines and of cost models, for the tests here and for those of plug-ins. They need pytest."""

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{module}" for module in ("conformance", "estimators", "suite", "trace_events"))
)

from engines.testing.conformance import ShufflingExecutor, TinyProblem  # noqa: E402 - after its assertions are to be rewritten
from engines.testing.estimators import EstimatorSuite  # noqa: E402
from engines.testing.suite import EngineSuite  # noqa: E402

__all__ = ("EngineSuite", "EstimatorSuite", "ShufflingExecutor", "TinyProblem")
