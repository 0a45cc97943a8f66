from hardware.silicon.loader import load_silicon_costs
from hardware.silicon.summary import silicon_words
from tests.hardware.silicon_for_tests import silicon_content


def test_words() -> None:
    words = silicon_words(load_silicon_costs(silicon_content()))
    assert words == "old: wafer 1,000 USD, masks 1 million USD; bond yield 90 %"
