"""Whether packets can wait for each other in a circle: the dependency graph of the channels (Dally and Seitz, 1987)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engines.contract.arrays import IntArray


def first_cycle(next_link: IntArray, link_target: IntArray, layer: IntArray) -> tuple[int, ...]:
    """Return the channels on, or between, circles of the dependency graph of some layer; empty: there is none, so no deadlock.

    Args:
        next_link: `routers x routers`, -1 on the diagonal.
        link_target: router at each link's end.
        layer: `routers x routers`, of packets by the routers where they start and end.
    """
    for number in np.unique(layer):
        pairs = np.argwhere(layer == number)
        left = circles(len(link_target), dependencies(next_link, link_target, pairs))
        if left:
            return left
    return ()


def dependencies(next_link: IntArray, link_target: IntArray, pairs: IntArray) -> set[tuple[int, int]]:
    """Return the pairs of channels that some route takes one after the other; `pairs`: `n x 2` routers, start and end."""
    at, end = pairs[:, 0], pairs[:, 1]
    found: set[tuple[int, int]] = set()
    before = np.full(len(at), -1, dtype=np.int64)
    while len(at):
        on_the_way = at != end
        at, end, before = at[on_the_way], end[on_the_way], before[on_the_way]
        links = next_link[at, end]
        edges = np.unique(np.stack([before, links], axis=1)[before >= 0], axis=0)
        found.update((int(first), int(second)) for first, second in edges)
        at, before = link_target[links], links
    return found


def circles(channels: int, edges: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the channels that are left when those that wait for none are taken away, again and again."""
    waits_for: list[list[int]] = [[] for _ in range(channels)]
    waited_by = [0] * channels
    for first, second in edges:
        waits_for[second].append(first)
        waited_by[first] += 1
    free = [channel for channel in range(channels) if not waited_by[channel]]
    gone = set(free)
    while free:
        for channel in waits_for[free.pop()]:
            waited_by[channel] -= 1
            if not waited_by[channel]:
                free.append(channel)
                gone.add(channel)
    return tuple(channel for channel in range(channels) if channel not in gone)


def layered(next_link: IntArray, link_target: IntArray, most: int) -> IntArray:
    """Return the layers without circles for routes that would have some (LASH: Skeie, Lysne and Theiss, 2002), first fit.

    Returns: `routers x routers`, from 0 on.

    Raises:
        ValueError: more than `most` layers would be needed.
    """
    routers, channels = len(next_link), len(link_target)
    layer = np.zeros((routers, routers), dtype=np.int64)
    taken: list[set[tuple[int, int]]] = [set() for _ in range(most)]
    for start in range(routers):
        for end in range(routers):
            edges = dependencies(next_link, link_target, np.array([[start, end]]))
            for number in range(most):
                if edges <= taken[number] or not circles(channels, taken[number] | edges):
                    taken[number] |= edges
                    layer[start, end] = number
                    break
            else:
                raise ValueError(f"These routes need more than {most} layers of virtual channels.")
    return layer
