from __future__ import annotations

import numpy as np

from frontend.figures.drawing import Box
from frontend.figures.front.labels import Mark, place

AREA = Box(0, 0, 400, 200)
NOTHING = np.empty((0, 2))


def test_words_stand_right_above_their_mark_where_that_is_free():
    (placed,) = place([Mark(200, 100, "knee")], AREA, NOTHING)
    assert placed.x_anchor == "left" and placed.x_shift > 0 and placed.y_shift > 0


def test_words_stay_inside():
    for x, y in ((398, 2), (2, 198), (398, 198), (2, 2)):
        (placed,) = place([Mark(x, y, "Standalone NVDLA")], AREA, NOTHING)
        assert placed.box.overlap(AREA) >= 0.95 * placed.box.width * placed.box.height


def test_words_of_near_marks_do_not_cover_each_other():
    marks = [Mark(200, 100, "Simba NVDLA"), Mark(206, 100, "Standalone NVDLA"), Mark(203, 104, "knee")]
    boxes = [placed.box for placed in place(marks, AREA, NOTHING)]
    assert sum(a.overlap(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :]) == 0


def test_words_avoid_crowds():
    crowd = np.array([[x, y] for x in range(205, 300, 3) for y in range(60, 100, 3)], float)
    (placed,) = place([Mark(200, 100, "selected")], AREA, crowd)
    box = placed.box
    inside = (crowd[:, 0] > box.left) & (crowd[:, 0] < box.right) & (crowd[:, 1] > box.top) & (crowd[:, 1] < box.bottom)
    assert not inside.any()


def test_words_that_find_no_clear_place_say_so_and_others_keep_off_marks():
    front = np.array([[x, y] for x in range(0, 400, 6) for y in range(0, 200, 6)], float)
    (placed,) = place([Mark(200, 100, "GPU alone")], AREA, NOTHING, kept_free=front)
    assert not placed.clear
    hole = front[(abs(front[:, 0] - 300) > 60) | (abs(front[:, 1] - 100) > 16)]
    (placed,) = place([Mark(240, 100, "GPU alone")], AREA, NOTHING, kept_free=hole)
    assert placed.clear and placed.box.left > 236


def test_words_far_from_their_mark_know_it_and_those_of_a_near_mark_never_are():
    crowd = np.array([[x, y] for x in range(120, 300, 4) for y in range(80, 120, 4)], float)
    (far,) = place([Mark(200, 100, "GPU alone")], AREA, NOTHING, kept_free=crowd)
    assert far.clear and far.far_px > 9
    (near,) = place([Mark(200, 100, "ideal", near=True)], AREA, NOTHING, kept_free=crowd)
    assert near.far_px < 9 and not near.clear


def test_words_of_a_mark_at_an_edge_stand_level_with_it_and_past_what_is_in_the_way() -> None:
    marks = [Mark(6, 100, "far away", at_edge=True), Mark(6, 116, "farther", at_edge=True), Mark(30, 100, "near")]
    first, second, _ = place(marks, Box(0, 0, 400, 200), np.empty((0, 2)))
    assert first.clear and second.clear and first.y_shift == second.y_shift == 0
    assert first.box.left > 36 and second.box.left < 20
