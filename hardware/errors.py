"""Errors of hardware documents. Each carries its facts as data, so that a form, the CLI and the API can each show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MOST_OTHERS = 20
MOST_LETTERS = 200  # of a value in a message: what was sent may be as long as it likes


class Remedy(NamedTuple):
    """A way to continue after an error.

    Attributes:
        text: a sentence that begins with a verb.
        field, value: dotted path and value that may do it, where they are known. A form that tried them offers a button.
    """

    text: str
    field: str = ""
    value: Any = None

    @classmethod
    def to_set(cls, field: str, value: Any) -> Remedy:
        """Return the remedy that sets a field to another value."""
        return cls(f"Set {field} to {value}.", field, value)


def sentence(words: str) -> str:
    """Return words as a sentence, with a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def remedies_of(given: Sequence[str | Sequence[Any]]) -> tuple[Remedy, ...]:
    """Return remedies of sentences, or of the parts of remedies."""
    return tuple(Remedy(each) if isinstance(each, str) else Remedy(*each) for each in given)


def explained(words: str, reason: str, remedies: Sequence[Remedy] = ()) -> str:
    """Return the sentence about a refused value between the reason and the ways to continue; alone where there are none."""
    if not reason and not remedies:
        return words
    return " ".join(filter(None, (reason, f"{words.rstrip('.')}.", *(each.text for each in remedies))))


def clipped(value: Any) -> str:
    """Return `repr` of a value, cut after `MOST_LETTERS`; no more of a large value is looked at than that."""
    text = ""
    for part in _parts(value):
        text += part
        if len(text) > MOST_LETTERS:
            return f"{text[:MOST_LETTERS]}…"
    return repr(value)


def _parts(value: Any) -> Iterator[str]:
    """Yield the pieces of about what `repr` says, one after the other."""
    if isinstance(value, str | bytes):
        yield repr(value[: MOST_LETTERS + 1])
    elif isinstance(value, Mapping):
        yield "{"
        for key, item in value.items():
            yield from _parts(key)
            yield ": "
            yield from _parts(item)
            yield ", "
        yield "}"
    elif isinstance(value, list | tuple | set | frozenset):
        yield "["
        for item in value:
            yield from _parts(item)
            yield ", "
        yield "]"
    elif isinstance(value, int) and value.bit_length() > 4 * MOST_LETTERS:
        yield f"a whole number of {value.bit_length()} bits".ljust(MOST_LETTERS + 1)  # `repr` refuses the longest ones
    else:
        yield repr(value)


def words_of_others(others: Sequence[tuple[str, Any, str]], lines: Sequence[int | None] = ()) -> str:
    """Return the other errors, one sentence per key, to follow the first one; "" where there are none.

    Args:
        others: (key, value got, values accepted).
        lines: lines of each, where they are known.
    """
    places = [f"line {line}, " if line else "" for line in lines] or [""] * len(others)
    told = [
        f"{place}{key} is missing; it must be {accepted}."
        if got is None
        else f"{place}{key} must be {accepted}. Got {clipped(got)} instead."
        for place, (key, got, accepted) in zip(places, others[:MOST_OTHERS], strict=False)
    ]
    more = len(others) - len(told)
    return "".join(f" Also: {words}" for words in told) + (f" And {more} more." if more else "")


class HardwareError(Exception):
    """A hardware document cannot be used.

    Attributes:
        file: file of the document, or its slug.
        key: dotted path of what is wrong ("package.layout.1").
        got: the value found; None where the key is missing.
        accepted: accepted values; completes "must be ...".
        line: line in `file` (from 1 on), where it is known.
        others: (key, value got, values accepted) of everything else that is wrong with the document.
        reason: a sentence that says why the value is refused, where `accepted` does not.
        remedies: ways to continue.
    """

    code = "invalid-value"

    def __init__(
        self,
        file: str,
        key: str,
        got: Any,
        accepted: str,
        line: int | None = None,
        others: Sequence[tuple[str, Any, str]] = (),
        *,
        reason: str = "",
        remedies: Sequence[str | Remedy] = (),
    ) -> None:
        self.others, self.reason, self.remedies = tuple(others), reason, remedies_of(remedies)
        self.file, self.key, self.got, self.accepted, self.line = file, key, got, accepted, line
        place = f"{file}, line {line}" if line else file
        super().__init__(
            f"{place}: {document_words(key, got, accepted, reason, self.remedies)}{words_of_others(others)}"
        )

    @property
    def field(self) -> str:
        """Return the key, under the name that other errors have for it."""
        return self.key


def document_words(key: str, got: Any, accepted: str, reason: str, remedies: Sequence[Remedy]) -> str:
    """Return the message of a key of a document without its file."""
    if got is None:
        return explained(f"{key} is missing; it must be {accepted}.", reason, remedies)
    return explained(f"{key} must be {accepted}. Got {clipped(got)} instead.", reason, remedies)
