import numpy as np

from engines.results import Breakdown, Note
from frontend.figures.summary import breakdown_sentence
from frontend.pages.run_design import breakdown_picture, first_breakdown

ENERGY = Breakdown(
    "energy", "Energy by unit", ("GPU", "DLA"), ("Blocks", "Hand-over"), np.array([[0.1, 0.0], [0.2, 0.05]]), "J"
)


def test_a_breakdown_takes_the_place_of_a_grid_and_is_told_in_words() -> None:
    assert first_breakdown((Note("n", "N", "words"), ENERGY)) is ENERGY
    assert first_breakdown((Note("n", "N", "words"),)) is None
    assert breakdown_sentence(ENERGY) == "Energy by unit: GPU 100\u00a0mJ, DLA 250\u00a0mJ."


def test_it_is_no_higher_than_the_grid_would_be() -> None:
    assert breakdown_picture(ENERGY, "light", (500, 100)).layout.height == 100
    assert breakdown_picture(ENERGY, "dark", (500, 400)).layout.height < 400
