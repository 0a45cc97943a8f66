"""What is read of a search for the trends."""

import numpy as np

from engines.methods.privynas.reproduction import trends


def test_a_search_is_told_by_its_ends_and_by_its_best_design() -> None:
    columns = {
        "position": np.array([2.0, 1.0, 3.0, 1.0]),
        "bound": np.array([9.0, 4.0, 1.0, 6.0]),
        "untrained_noisy_percent": np.array([50.0, 10.0, 80.0, 20.0]),
        "noisy_test_percent": np.array([60.0, 40.0, 90.0, 50.0]),
        "clean_test_percent": np.array([95.0, 96.0, 97.0, 98.0]),
        "accuracy_percent": np.array([70.0, 60.0, 93.0, 60.0]),
        "test_accuracy_percent": np.array([71.0, 61.0, 92.0, 61.0]),
        "latency_s": np.array([0.3, 0.2, 0.4, 0.2]),
    }
    found = trends._found(columns)
    assert set(found) == set(trends.SearchOutcome(0).blank())
    assert (found["bound_first"], found["bound_last"], found["first_before"], found["last_after"]) == (5, 1, 15, 90)
    assert (found["total"], found["gap"], found["latency_s"], found["before"]) == (92, 7, 0.3, 40)
