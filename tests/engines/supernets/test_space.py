from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import DecisionError, ProblemError
from engines.methods.magnas.search.outer_search import Genome
from engines.supernets.space import space_from_json, space_to_json
from engines.supernets.spaces import pyramid_vig_space, small_space, vig_s_space


@pytest.mark.parametrize("space", [vig_s_space(10), pyramid_vig_space(10), small_space(1, 8, 10, 16, "pyramid")])
def test_spaces_and_architectures_come_back_from_json(space) -> None:
    assert space_from_json(space_to_json(space)) == space
    architecture = space.random(np.random.default_rng(1))
    assert space.decode(space.encode(architecture)) == architecture
    genome = Genome(space)
    assert genome.decode(genome.encode(architecture)) == architecture


def test_what_is_no_architecture_of_the_space_is_refused() -> None:
    space = vig_s_space(10)
    good = space.encode(space.largest("gin"))
    for change in ({"depth": 5}, {"operator": "gat"}, {"hidden": 97}, {"preprocessed": 1}, {"depth": True}):
        with pytest.raises(DecisionError):
            space.decode([{**good[0], **change}, *good[1:]])
    with pytest.raises(DecisionError, match="4 superblocks"):
        space.decode(good[:3])
    with pytest.raises(ProblemError):
        space_from_json({**space_to_json(space), "neighbours": [500, 1, 1, 1]})


def test_without_feed_forward_parts_their_width_changes_nothing() -> None:
    space = vig_s_space(10)
    given = space.encode(space.smallest("gin"))
    assert space.decode([{**each, "hidden": 320} for each in given]) == space.smallest("gin")
