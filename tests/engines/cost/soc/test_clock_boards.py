import numpy as np

from engines.cost.soc.clock_boards import OFF, clock_board, clock_boards, moved_clock
from engines.cost.soc.clocks import ClockSettings


def test_a_clock_with_several_steps_has_a_line_on_which_the_design_stands() -> None:
    settings = ClockSettings({"gpu": np.array([1e9, 5e8, 1e9]), "memory": np.array([2e9, 2e9, 2e9])})
    (board,) = clock_boards(settings, {"gpu": 700.0, "memory": 2000.0})
    assert board.title == "Clock of GPU" and [place.name for place in board.places] == ["500.0", "700.0", "1000.0"]
    assert board.pieces[0].place == "700.0" and board.pieces[0].short == "700"


def test_a_move_of_a_clock_is_told_from_others() -> None:
    assert moved_clock("clock.gpu", "500.0") == {"gpu": 500.0}
    assert moved_clock("clock.dla-1", OFF) == {"dla-1": OFF}
    assert moved_clock("block.3", "gpu") is None
    assert clock_board("cpu", [OFF, 100.0], OFF).pieces[0].place == OFF
