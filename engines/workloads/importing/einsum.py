"""`Einsum` as a sequence of products, with operands from left to right as in PyTorch.

https://onnx.ai/onnx/operators/onnx__Einsum.html. An index of one operand alone that is not in the result is summed before any
product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.workloads.importing.graph import ContradictionError, UnknownSizeError
from engines.workloads.importing.rows import Row, contraction_row


@dataclass(frozen=True)
class _Operand:
    """Letters of an operand, each once, and whether it is the same for every sample."""

    letters: str
    constant: bool


def einsum_rows(name: str, equation: str, shapes: Sequence[Sequence[int]], constants: Sequence[bool]) -> list[Row]:
    """Return the products of an `Einsum`; none where it only moves, sums or scales.

    Args:
        name: name of the row, or of the rows with their numbers.
        equation: with or without a result, with or without ellipses.
        shapes: shapes of the operands.
        constants: mask of those that are equal for all samples.

    Raises:
        UnknownSizeError: an equation that does not fit the operands.
    """
    operands, result = _spelled(equation, shapes)
    sizes = _sizes(equation, operands, shapes)
    whole = [_Operand(_present(letters, shape, sizes), constant)
             for letters, shape, constant in zip(operands, shapes, constants, strict=True)]  # fmt: skip
    rows: list[Row] = []
    left = whole[0]
    for number, right in enumerate(whole[1:]):
        later = {*result, *(letter for each in whole[number + 2 :] for letter in each.letters)}
        left, equations = _pair(left, right, later)
        if equations is not None:
            first, second, out, weight = equations
            place = name if len(whole) == 2 else f"{name}.{number}"
            one, two = ([sizes[letter] for letter in letters] for letters in (first, second))
            rows.append(contraction_row(place, f"{first},{second}->{out}", one, two, weight))
    return rows


def _pair(left: _Operand, right: _Operand, later: set[str]) -> tuple[_Operand, tuple[str, str, str, bool] | None]:
    """Return the result of two operands and the product that makes it; None for one that sums over nothing they share."""
    one = "".join(letter for letter in left.letters if letter in right.letters or letter in later)
    two = "".join(letter for letter in right.letters if letter in left.letters or letter in later)
    if left.constant and not right.constant:
        one, two = two, one
    out = "".join(letter for letter in dict.fromkeys(one + two) if letter in later)
    made = _Operand(out, left.constant and right.constant)
    summed = (set(one) & set(two)) - later
    return made, (one, two, out, left.constant or right.constant) if summed else None


def _spelled(equation: str, shapes: Sequence[Sequence[int]]) -> tuple[list[str], str]:
    """Return the letters of each operand and of the result, with letters for what ellipses stand for."""
    left, arrow, result = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    if not left or len(parts) != len(shapes):
        raise UnknownSizeError(f"the contraction {equation!r}")
    operands, longest = [], ""
    for part, shape in zip(parts, shapes, strict=True):
        many = len(shape) - len(part.replace("...", ""))
        if part.count("...") > 1 or many < 0 or (many and "..." not in part):
            raise UnknownSizeError(f"the contraction {equation!r}")
        # Letters beyond those of equations, counted from the last dimension: shorter ellipses stand at the end of longer ones.
        letters = "".join(chr(0x100 + place) for place in reversed(range(many)))
        longest = max(longest, letters, key=len)
        operands.append(part.replace("...", letters))
    if not arrow:
        every = "".join(parts).replace(".", "")
        result = "..." + "".join(sorted(letter for letter in set(every) if every.count(letter) == 1))
    result = result.replace("...", longest)
    if len(set(result)) != len(result) or not set(result) <= set("".join(operands)):
        raise UnknownSizeError(f"the contraction {equation!r}")
    return operands, result


def _sizes(equation: str, operands: Sequence[str], shapes: Sequence[Sequence[int]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for letters, shape in zip(operands, shapes, strict=True):
        for letter, size in zip(letters, shape, strict=True):
            if 1 not in (size, sizes.get(letter, size)) and sizes.get(letter, size) != size:
                raise ContradictionError(f"the contraction {equation!r}")
            sizes[letter] = size if sizes.get(letter, 1) == 1 else sizes[letter]
    return sizes


def _present(letters: str, shape: Sequence[int], sizes: dict[str, int]) -> str:
    """Return letters, each once (a diagonal), without those that have a size of one here and are stretched to another operand's."""
    return "".join(dict.fromkeys(letter for letter, size in zip(letters, shape, strict=True) if size == sizes[letter]))
