import subprocess
import sys

import pytest

pytest.importorskip("pandas")
SCRIPT = """
import sys
from engines.contract.no_pandas import forgo_pandas
{first}
import numpy as np, pyarrow as pa
pa.array(np.arange(3.0)).to_numpy(), pa.array(["a"], pa.string())
print("pandas" in sys.modules)
import pandas
print(pandas.Series([1.0, 2.0]).sum())
"""


@pytest.mark.parametrize(("first", "loaded"), [("forgo_pandas()", "False"), ("", "True")])
def test_arrow_converts_without_pandas_and_others_may_load_it(first: str, loaded: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(first=first)], capture_output=True, text=True, check=True, timeout=200
    )
    assert done.stdout.split() == [loaded, "3.0"]


def test_what_is_loaded_stays() -> None:
    script = """
import pandas
from engines.contract.no_pandas import forgo_pandas
forgo_pandas()
import pyarrow as pa
print(pa.array([1]).to_pandas().sum())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=200)
    assert done.stdout.split() == ["1"]
