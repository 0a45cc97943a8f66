"""The conformance suite: what every engine keeps, for the tests here and for those of plug-ins. Needs pytest."""

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{module}" for module in ("conformance", "suite", "trace_events")))

from engines.testing.conformance import ShufflingExecutor, TinyProblem  # noqa: E402 - after its assertions are to be rewritten
from engines.testing.suite import EngineSuite  # noqa: E402

__all__ = ("EngineSuite", "ShufflingExecutor", "TinyProblem")
