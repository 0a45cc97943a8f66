"""Refusals of networks: each names the operator, the reason, and the option with which to continue."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from engines.contract.errors import ProblemError

_MOST = 12  # sizes and operators in one message


def size_options(names: Iterable[str]) -> str:
    """Return the command-line options that set these sizes, quoted for a shell."""
    return " ".join(f"--dim {shlex.quote(f'{name}=1')}" for name in list(names)[:_MOST])


def in_words(shapes: Iterable[Sequence[int] | None]) -> str:
    """Return the shapes of several tensors: "4 × 64 and 3 × 64"."""
    return " and ".join(" × ".join(map(str, shape)) or "a single number" for shape in shapes if shape is not None)


def sizes_that_contradict(place: str, given: Mapping[str, int]) -> ProblemError:
    """Return the refusal of an operator whose sizes exclude each other.

    Args:
        place: the operator with its sizes.
        given: open dimension -> the size that a person gave it.
    """
    if given:
        sizes = ", ".join(f"{name} = {size}" for name, size in given.items())
        return ProblemError("dims", f"{sizes}: {place}", "sizes that fit together")
    return ProblemError("file", place, "a network whose sizes fit together")


def nothing_that_computes(
    unpriced: Mapping[str, str], open_sizes: Mapping[str, str], given: Mapping[str, int]
) -> ProblemError:
    """Return the refusal of a network in which no operator computes.

    Args:
        unpriced: operator without a cost model -> the reason.
        open_sizes: size that depends on the data -> the operator that gives it.
        given: size that a person gave -> what it is.
    """
    listed = [f"{operator}: {reason}" for operator, reason in unpriced.items()][:_MOST]
    others = "; and others" if len(unpriced) > _MOST else ""
    reasons = f"{'; '.join(listed)}{others}"
    if open_sizes:
        names = list(open_sizes)[:_MOST]
        places = ", ".join(f"{name} (given by {open_sizes[name]})" for name in names)
        accepted = f"given as whole numbers ({size_options(names)}) for all sizes that depend on the data: {places}"
        reason = f"{'. '.join(listed)}{others}." if listed else ""
        return ProblemError("dims", {**given, **dict.fromkeys(names)}, accepted, reason=reason)
    if 0 in given.values() and not reasons:
        reason = "With the size 0 no operator computes."
        return ProblemError("dims", dict(given), "sizes with which at least one operator computes", reason=reason)
    accepted = (
        "a network of operators, at least one that computes (convolution, matrix product, recurrent layer, attention)"
    )
    return ProblemError("file", reasons or "no operator that computes", accepted)
