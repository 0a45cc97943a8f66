from engines.contract.encoding.decoding import encoded
from engines.methods.neksus.design import PackageDesign

DESIGN = PackageDesign("mesh", (("vd",), ("dc", "img"), ("cam",)), 2, 6, 128, "direct", frozenset({1}))


def test_chiplets_stand_in_chains_of_which_the_last_may_be_shorter() -> None:
    assert DESIGN.ports == 2 and DESIGN.chains == ((0, 1), (2,))
    assert DESIGN.chiplet_of == {"vd": 0, "dc": 1, "img": 1, "cam": 2}


def test_it_is_stored_as_json_values() -> None:
    stored = encoded(DESIGN)
    assert stored["chiplets"] == [["vd"], ["dc", "img"], ["cam"]] and stored["chain_length"] == 2
    assert all(isinstance(value, str | int | list) for value in stored.values())
