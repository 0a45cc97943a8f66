"""Which chiplets a model may use, as users write it, and whether all models can keep to it.

One text: parts apart by semicolons, each a model, a colon and chiplets: "GPT-2 L: 0 1 2; U-Net: not 4 7-8". A model is named
as in the results (a hyphen, an underscore and a space are one) or by its number from 0; chiplets are numbered from 0 at the
top left, row by row. Models that are not named may use all chiplets. Every segment of a model in every window keeps to its
chiplets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.contract.errors import ProblemError
from engines.search.matching import match

FIELD = "params.model_chiplets"
EXAMPLE = '"model: chiplets" apart by semicolons, as in "GPT-2 L: 0 1 2; U-Net: not 4 7-8"'
_CHIPLETS = re.compile(r"[cC]?(\d{1,6})(?:-[cC]?(\d{1,6}))?")

Allowed = tuple[frozenset[int], ...]


def parse_model_chiplets(text: str, titles: Sequence[str], chiplets: int) -> Allowed:
    """Return the chiplets that each model may use.

    Args:
        text: as described above; empty allows everything.
        titles: names of the models.
        chiplets: number of chiplets of the package.

    Raises:
        ProblemError: a part cannot be read, names a model or chiplet that does not exist, names a model twice, or leaves a
            model without chiplets.
    """
    everything = frozenset(range(chiplets))
    allowed = dict.fromkeys(range(len(titles)), everything)
    named: set[int] = set()
    for part in filter(None, (part.strip() for part in text.replace("\n", ";").split(";"))):
        name, colon, listed = part.rpartition(":")
        if not colon:
            raise ProblemError(FIELD, part, EXAMPLE)
        model = _model(name.strip(), titles)
        if model in named:
            raise ProblemError(FIELD, part, "a list with every model once", reason=f"{titles[model]} occurs twice.")
        named.add(model)
        allowed[model] = _chiplet_set(listed.strip(), titles[model], everything)
    return tuple(allowed[model] for model in range(len(titles)))


def _model(name: str, titles: Sequence[str]) -> int:
    for read in (str.casefold, _loosely):
        found = [model for model, title in enumerate(titles) if read(name) == read(title)]
        if len(found) == 1:
            return found[0]
    if name.isdecimal() and int(name) < len(titles):
        return int(name)
    raise ProblemError(FIELD, name, f"one of the models {', '.join(titles)}, or a number from 0 to {len(titles) - 1}")


def _loosely(name: str) -> str:
    """Return hyphens, underscores and spaces are one: short titles of uploaded networks have spaces for them."""
    return re.sub(r"[-_\u2011\s]+", " ", name).casefold()


def _chiplet_set(text: str, title: str, everything: frozenset[int]) -> frozenset[int]:
    words = text.replace(",", " ").split()
    forbids = bool(words) and words[0].casefold() == "not"
    named: set[int] = set()
    for word in words[1:] if forbids else words:
        found = _CHIPLETS.fullmatch(word)
        first = int(found[1]) if found else -1
        last = int(found[2] or found[1]) if found else -1
        if not 0 <= first <= last < len(everything):
            accepted = f'chiplets from 0 to {len(everything) - 1}, one by one or as "2-5", after {title}:'
            raise ProblemError(FIELD, word, accepted)
        named.update(range(first, last + 1))
    if not named:
        ways = ["Leave the model out to allow all chiplets."]
        raise ProblemError(FIELD, f"{title}: {text}", f"at least one chiplet for {title}", remedies=ways)
    if forbids and named == everything:
        raise ProblemError(FIELD, f"{title}: {text}", f"at least one chiplet that is not forbidden to {title}")
    return everything - named if forbids else frozenset(named)


def require_room(
    allowed: Allowed, titles: Sequence[str], models: Sequence[int], window: int, starts: frozenset[int]
) -> None:
    """Refuse constraints under which the models of a window cannot have a chiplet, or a start, each.

    Says nothing where they could not without constraints either.

    Args:
        allowed: allowed of all models of the scenario.
        titles: names of all models.
        models: networks of the time window.
        window: number of the time window, from 1 on.
        starts: chiplets where a model may start in that window.

    Raises:
        ProblemError: names the models that stand in each other's way and what would mend it.
    """
    short = _short(allowed, models)
    if short and len(models) <= len(frozenset().union(*allowed)):
        names = " and ".join(titles[m] for m in short)
        accepted = f"at least {len(short)} chiplets between {names}"
        raise ProblemError(
            FIELD,
            f"{names}: {_list_of(_union(allowed, short))}",
            accepted,
            reason=f"These models run at the same time in time window {window}.",
            remedies=["Allow one of them more chiplets.", "Change the time windows (n_splits, packing)."],
        )
    short = _short([chiplets & starts for chiplets in allowed], models)
    if short and len(models) <= len(starts):
        names = " and ".join(titles[m] for m in short)
        many = "chiplets with a start for it" if len(short) == 1 else f"chiplets with {len(short)} different starts"
        accepted = f"{many} in time window {window}"
        raise ProblemError(
            FIELD,
            f"{names}: {_list_of(_union(allowed, short))}",
            accepted,
            remedies=[
                f"Allow more chiplets where models may start: {_list_of(starts)}.",
                "Set root_rule to free, so that models start anywhere.",
            ],
        )


def _short(allowed: Sequence[frozenset[int]], models: Sequence[int]) -> list[int]:
    return [models[party] for party in match([sorted(allowed[m]) for m in models]).short]


def _union(allowed: Allowed, models: Sequence[int]) -> frozenset[int]:
    return frozenset().union(*(allowed[m] for m in models))


def _list_of(chiplets: frozenset[int]) -> str:
    return f"chiplet{'s' if len(chiplets) != 1 else ''} {', '.join(str(chiplet) for chiplet in sorted(chiplets))}"
