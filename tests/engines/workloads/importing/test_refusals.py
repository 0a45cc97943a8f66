from __future__ import annotations

import shlex

from engines.workloads.importing.refusals import nothing_that_computes, size_options, sizes_that_contradict


def test_options_are_those_that_a_shell_takes() -> None:
    names = ["batch", "past + seq", "it's", "$HOME"]
    assert shlex.split(size_options(names)) == [part for name in names for part in ("--dim", f"{name}=1")]


def test_sizes_are_asked_for_beside_those_that_are_given() -> None:
    error = nothing_that_computes({"NonZero": "no cost model knows it"}, {"nz.1": "NonZero"}, {"batch": 2})
    assert (error.field, error.got) == ("dims", {"batch": 2, "nz.1": None})
    assert error.accepted.endswith(": nz.1 (given by NonZero)")
    assert error.reason == "NonZero: no cost model knows it."
    many = nothing_that_computes({f"Op{number}": "unknown" for number in range(40)}, {}, {})
    assert many.field == "file" and "Op11: unknown; and others" in many.got and "Op12" not in many.got


def test_sizes_that_contradict_are_those_of_the_file_or_those_given() -> None:
    file, given = sizes_that_contradict("Add a of 4 and 3", {}), sizes_that_contradict("Add a of 4 and 3", {"n": 4})
    assert (file.field, file.got, file.accepted) == ("file", "Add a of 4 and 3", "a network whose sizes fit together")
    assert (given.field, given.got, given.accepted) == ("dims", "n = 4: Add a of 4 and 3", "sizes that fit together")
