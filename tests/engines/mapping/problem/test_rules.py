from __future__ import annotations

from engines.mapping.problem.rules import allowed_units


def test_a_rule_for_the_common_name_holds_for_every_part_and_one_for_a_part_for_it_alone() -> None:
    names, units = ("stem", "Mixed_6b", "pool", "Mixed_6b (2)"), ("gpu", "dla")
    assert allowed_units("Mixed_6b: gpu", names, units).tolist() == [[1, 1], [1, 0], [1, 1], [1, 0]]
    assert allowed_units("Mixed_6b (2): gpu", names, units).tolist() == [[1, 1], [1, 1], [1, 1], [1, 0]]
