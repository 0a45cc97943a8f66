"""Names of axes and of lines."""

import numpy as np

from engines.contract.results import Series
from frontend.figures.lines import axis_name_under, end_names
from frontend.figures.numbers import Scale


def test_an_axis_does_not_repeat_the_heading_of_its_picture_which_the_picture_alone_gets_back() -> None:
    (note,) = axis_name_under("Hypervolume", "Hypervolume", "mJ·s", "light")
    assert (note["text"], note["name"]) == ("in mJ·s", "Hypervolume (mJ·s)")
    assert axis_name_under("Loss", "Loss", "", "light") == []
    (other,) = axis_name_under("Accuracy", "Training", "%", "light")
    assert other["text"] == "Accuracy (%)" and "name" not in other


def test_the_name_of_a_cloud_stands_beside_all_clouds_and_that_of_a_line_at_its_end() -> None:
    x, nothing = np.array([3.0, 1.0, 9.0, 2.0]), np.nan
    cloud = Series("Cloud", np.array([1.0, 2.0, nothing, 3.0]), "1/s", style="points")
    other = Series("Other", np.array([nothing, nothing, 5.0, nothing]), "1/s", style="points")
    scale = Scale(1.0, "")
    names = end_names([(cloud, x, scale, 0), (other, x, scale, 1)], "light", "y", 100.0, (0.0, 10.0))
    assert {each["text"]: (each["x"], each["y"]) for each in names} == {"Cloud": (9.0, 2.0), "Other": (9.0, 5.0)}
    line = Series("Line", np.array([1.0, 2.0, 3.0, nothing]), "1/s")
    (name,) = end_names([(line, np.arange(4.0), scale, 0)], "light", "y", 100.0, (0.0, 10.0))
    assert (name["x"], name["y"]) == (2.0, 3.0)
