"""Run mutmut in a folder that `mutants.py` prepared; writes what survived to `survivors.txt`, and how many to `counts.txt`.

Of mutmut's changes those of numbers, signs, operators, comparisons, conditions and branches are made, not those of texts,
arguments and assignments: they mostly end in an error that any test meets, or in other words for people. Names that are easily
taken for each other are exchanged besides.
"""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import libcst
from mutmut import __main__ as mutmut
from mutmut.mutation import file_mutation, mutators
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import read_functions_from_index
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

LEFT_OUT = (
    "operator_string",
    "operator_assignment",
    "operator_arg_removal",
    "operator_dict_arguments",
    "operator_lambda",
)
_PAIRS = (("min", "max"), ("argmin", "argmax"), ("any", "all"), ("test", "validation"), ("largest", "smallest"))
EXCHANGED = {"mean": "median", **{one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}}


def exchanged_name(node: libcst.Name) -> Iterator[libcst.Name]:
    """Yield the name that is easily taken for this one."""
    if node.value in EXCHANGED:
        yield node.with_changes(value=EXCHANGED[node.value])


def forget_survivors() -> None:
    """What lived is tried again, and which tests reach what is found out again: tests may have been added."""
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        if data.exit_code_by_key:
            codes = data.exit_code_by_key.items()
            data.exit_code_by_key = {
                name: code if status_by_exit_code[code] == "killed" else None for name, code in codes
            }
            data.save()
    Path("mutants/mutmut-stats.json").unlink(missing_ok=True)


def run() -> None:
    """Make mutants, test those that are not known yet, and write both files."""
    kept = [pair for pair in mutators.mutation_operators if pair[1].__name__ not in LEFT_OUT]
    setattr(file_mutation, "mutation_operators", [*kept, (libcst.Name, exchanged_name)])  # noqa: B010 - it is imported there, not exported
    forget_survivors()
    mutmut._run((), int(os.environ.get("JOBS", "0")) or None)
    found, survivors = Counter[str](), set[str]()
    for path, name, code in _results():
        status = status_by_exit_code[code]
        told = _told(path, name) if status == "survived" else ""
        found["without a check of zip" if status == "survived" and not told else status] += 1
        survivors |= {told} - {""}
        if status == "no tests":
            survivors.add(f"{path} {_function(name)}: no test of the group reaches it")
    Path("survivors.txt").write_text("".join(f"{line}\n" for line in sorted(survivors)))
    words = ", ".join(f"{count} {status}" for status, count in found.most_common())
    Path("counts.txt").write_text(f"{found.total()} mutants, {words}\n")


def _results() -> Iterator[tuple[Path, str, Any]]:
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            yield path, name, code


def _function(name: str) -> str:
    function, class_name = orig_function_and_class_names_from_key(name)
    return f"{class_name}.{function}" if class_name else function


def _told(path: Path, name: str) -> str:
    """Return `path function: line as it was -> line as it became`: stays the same wherever the function moves to.

    Empty where no more than a `strict=True` is gone: it is there for mistakes of other places.
    """
    functions = read_functions_from_index(name, path)
    assert functions is not None
    was, became = (libcst.Module([each]).code.splitlines() for each in functions)
    changed = [line for line in difflib.ndiff(was, became) if line[:2] in ("- ", "+ ")]
    gone, come = (" ".join(line[2:].strip() for line in changed if line[0] == sign) for sign in "-+")
    return "" if gone.replace("strict=True", "strict=False") == come else f"{path} {_function(name)}: {gone} -> {come}"


if __name__ == "__main__":
    run()
