"""Decomposed models: a user's half and a candidate's half of the layers, and what of the top MLP joins them (section 5.2).

static bottom MLP   on the device, remembered         widths x static share
dynamic bottom MLP  on the device, for every query    what is left of the widths
user top MLP        on the device, for every query    widths x ratio
item top MLP        datacentre, for every candidate   what is left of the widths
combined top MLP    datacentre, for every candidate   the layers that are not split
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.methods.duet.recommender import Recommender, macs_of


@dataclass(frozen=True)
class Decomposition:
    """Widths of the parts of a decomposed model, the input of each part first; () for a part that is not there.

    Attributes:
        static, dynamic: static and dynamic of the bottom MLP; where it is not split, all of it is dynamic.
        user_top, item_top: widths of the split layers of the top MLP; only the input's width if none is split.
        combined: combined of the layers that are not split.
        joined: joined of the layers of the bottom MLP that are not split where the first ones are; () where all are, or none.
    """

    static: tuple[int, ...]
    dynamic: tuple[int, ...]
    user_top: tuple[int, ...]
    item_top: tuple[int, ...]
    combined: tuple[int, ...]
    joined: tuple[int, ...] = ()

    @property
    def payload(self) -> int:
        """Values that the device sends for a query."""
        return self.user_top[-1]


def part_of(width: int, share: float) -> int:
    """Return the share of a layer, rounded to whole nodes (half up), at least one on each side: 0.6 of 100 nodes are 60."""
    return min(max(int(width * share + 0.5), 1), width - 1)


def decomposed(
    model: Recommender, split_bottom: bool, top_layers: int, ratio: float, bottom_layers: int | None = None
) -> Decomposition:
    """Return the model with its layers split.

    Args:
        model: the cost model.
        split_bottom: whether the bottom MLP has a static and a dynamic half.
        top_layers: number of split layers of the top MLP, from the first on; the last one is never split.
        ratio: the user's share of each of these.
        bottom_layers: number of split layers of the bottom MLP, from the first on, if not all are (section 5.2.5).
    """
    halved = model.bottom if bottom_layers is None else model.bottom[: bottom_layers + 1]
    static = tuple(part_of(width, model.static_share) for width in halved) if split_bottom else ()
    dynamic = tuple(width - part for width, part in zip(halved, static, strict=True)) if static else model.bottom
    split = model.top[:top_layers]
    user = tuple(part_of(width, ratio) for width in split)
    item = tuple(width - part for width, part in zip(split, user, strict=True))
    joined = (model.user_features, *user)[-1] + (model.item_features, *item)[-1]
    return Decomposition(
        static,
        dynamic,
        (model.user_features, *user),
        (model.item_features, *item),
        (joined, *model.top[top_layers:]),
        model.bottom[len(halved) - 1 :] if static and len(halved) < len(model.bottom) else (),
    )


def user_top_bytes(parts: Decomposition, bytes_per_value: int) -> float:
    """Return the weights of the user's half of the top MLP."""
    return float(macs_of(parts.user_top) * bytes_per_value)
