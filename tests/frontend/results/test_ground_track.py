from frontend.results.ground_track import VIEW
from tests.frontend.figures.test_ground_track import TRACK


def test_a_drive_shares_the_cursor_of_pictures_that_end_at_the_same_moment() -> None:
    drawn = VIEW.component(TRACK, "light", 900)
    assert drawn.className == "ground-track"
    assert getattr(drawn, "data-group") == "until 2.0"
    assert VIEW.sentence(TRACK) == "The road: 20.0\u00a0m along the road past one obstacle."
