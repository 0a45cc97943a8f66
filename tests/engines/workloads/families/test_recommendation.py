from __future__ import annotations

import pytest

from engines.workloads.loader import builtin_network


@pytest.mark.parametrize(
    ("slug", "macs", "table_rows"),
    # MACs of RM1 to RM3 as DeepRecSys' configurations give them; of RM4 and RM5 by hand.
    [
        ("dlrm-rm1", 100_416, 8 * 4_000_000 * 32),
        ("dlrm-rm2", 319_552, 32 * 500_000 * 64),
        ("dlrm-rm3", 3_203_328, 10 * 2_000_000 * 32),
        ("dlrm-rm4", 512 * 256 + 256 * 32 + 352 * 2560 + 2560 * 1024 + 1024, 10 * 2_000_000 * 32),
        ("dlrm-rm5", 54 * 200 + 200 * 80 + 80 * 2, 3 * 1_000_000 * 18),
    ],
)
def test_recommendation_models_are_those_of_the_table(slug: str, macs: int, table_rows: int) -> None:
    model = builtin_network(slug)
    assert (model.macs, model.lookup_elements) == (macs, table_rows)
