"""What bits need, without training."""

from engines.methods.eexnas.reproduction.binary import Ratios


def test_bits_need_less_of_everything() -> None:
    ram, energy = Ratios().run()
    assert 0 < ram < 0.5 and 0 < energy < ram
