"""What is compiled, and when it is compiled anew."""

import re
from pathlib import Path
from typing import Any

import numpy as np

from engines.simulation.noc import compiler
from engines.simulation.noc.compiler import inner, outer, stamp, start_of


def test_functions_that_no_cache_can_keep_are_compiled_all_the_same() -> None:
    # Made of a text, they have no file beside which anything could be kept.
    made: dict[str, object] = {}
    exec("def twice(x):\n    return 2 * x\n", made)
    made["twice"] = inner(made["twice"])  # type: ignore[arg-type]
    exec("def more(x):\n    return twice(x) + 1\n", made)
    assert outer(made["more"])(3) == 7  # type: ignore[arg-type]


def _moved(memory: Any, places: int) -> Any:
    m = start_of(memory)
    for place in range(places):
        m[place] += m[place + 1]
    return m[0]


def test_what_is_written_behind_a_pointer_is_in_the_array() -> None:
    memory = np.arange(4, dtype=np.int64)
    assert outer(_moved)(memory, 3) == 1
    assert memory.tolist() == [1, 3, 5, 3]


def test_every_file_with_compiled_functions_counts_for_the_stamp() -> None:
    folder = Path(compiler.__file__).parent
    compiled = {
        path.stem for path in folder.glob("*.py") if re.search(r"^@(inner|outer)$", path.read_text(), re.MULTILINE)
    }
    assert compiled and compiled <= set(compiler._FILES)
    assert stamp() == stamp()
