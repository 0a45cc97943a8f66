"""A random order of test files, for `make flaky`: a test that relies on the ones before it fails there."""

from __future__ import annotations

import random

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--file-order SEED` to pytest's command line."""
    parser.addoption("--file-order", type=int, metavar="SEED", help="run the test files in a random order of this seed")


def shuffle_files(items: list[pytest.Item], seed: int) -> None:
    """Sort `items` into a random order of their files; tests of one file keep their order.

    Every process of pytest-xdist gets the same order from the same seed.
    """
    files = sorted({item.path for item in items})
    random.Random(seed).shuffle(files)
    place = {path: at for at, path in enumerate(files)}
    items.sort(key=lambda item: place[item.path])
