"""Widths of the parts of a split recommender, as the text splits them."""

import pytest

from engines.methods.duet.decomposition import decomposed, part_of, user_top_bytes
from engines.methods.duet.recommender import built_in


def test_layers_are_split_as_the_text_splits_them() -> None:
    rm1, rm5 = built_in("rm1"), built_in("rm5")
    parts = decomposed(rm1, True, 2, rm1.feature_share)
    assert (parts.static, parts.dynamic) == ((112, 56, 28), (16, 8, 4))
    assert (parts.user_top, parts.item_top, parts.combined) == ((224, 199, 50), (64, 57, 14), (64, 1))
    assert parts.payload == 50 and parts.joined == ()
    assert rm5.feature_share == 0.6 and rm5.user_lookups == 399 and rm5.item_lookups == 2


def test_nothing_split_leaves_the_features_to_be_joined() -> None:
    rm1 = built_in("rm1")
    parts = decomposed(rm1, False, 0, rm1.feature_share)
    assert parts.static == () and parts.dynamic == rm1.bottom
    assert parts.combined == (rm1.features, *rm1.top)


def test_only_the_first_layers_of_the_bottom_mlp_can_be_split() -> None:
    rm1 = built_in("rm1")
    parts = decomposed(rm1, True, 2, rm1.feature_share, bottom_layers=1)
    assert (parts.static, parts.dynamic, parts.joined) == ((112, 56), (16, 8), (64, 32))


@pytest.mark.parametrize(("width", "share", "part"), [(100, 0.6, 60), (5, 0.5, 3), (4, 0.01, 1), (4, 0.99, 3)])
def test_each_side_has_at_least_one_node(width: int, share: float, part: int) -> None:
    assert part_of(width, share) == part


def test_the_users_top_mlp_of_rm4_is_as_large_as_printed() -> None:
    rm4 = built_in("rm4")
    parts = decomposed(rm4, True, 2, rm4.feature_share)
    assert round(user_top_bytes(parts, 4) / 1e6, 1) == 7.5 and round(user_top_bytes(parts, 1) / 1e6, 1) == 1.9
