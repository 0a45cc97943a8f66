"""Small language models on boards, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem
from engines.workloads.importing.language_reader import read_configuration
from tests.engines.survey.language.configurations import QWEN3_4B

SMALL = {**QWEN3_4B, "num_hidden_layers": 4, "vocab_size": 1000}


def model_document(configuration: Mapping[str, Any] = QWEN3_4B, name: str = "qwen3-4b.json") -> Document:
    """Return the workload that the import of a configuration stores."""
    return Document("workload", "model", 1, read_configuration(configuration, name).content)


def language_problem(
    board: str | Document = "rk3588",
    params: Mapping[str, Any] | None = None,
    configuration: Mapping[str, Any] = QWEN3_4B,
    seed: int = 0,
) -> Problem:
    """Return a conversation on a built-in board, or on another one."""
    hardware = get_builtin("hardware", board) if isinstance(board, str) else board
    documents = {"hardware": hardware, "workload": model_document(configuration)}
    return make_problem("language-mapping", documents, params or {}, seed)


def tiny() -> TinyProblem:
    """Return a small model on a board whose power is known; none answers within a nanosecond."""
    params = {"objectives": "all", "bits": "w8a8, fp16", "clock_steps": 2}
    impossible = {**params, "first_token_limit_s": 1e-9}
    return TinyProblem(
        language_problem("jetson-agx-xavier", params, SMALL), language_problem("jetson-agx-xavier", impossible, SMALL)
    )
