"""Names of axes."""

from frontend.figures.lines import axis_name_under


def test_an_axis_does_not_repeat_the_heading_of_its_picture_which_the_picture_alone_gets_back() -> None:
    (note,) = axis_name_under("Hypervolume", "Hypervolume", "mJ·s", "light")
    assert (note["text"], note["name"]) == ("in mJ·s", "Hypervolume (mJ·s)")
    assert axis_name_under("Loss", "Loss", "", "light") == []
    (other,) = axis_name_under("Accuracy", "Training", "%", "light")
    assert other["text"] == "Accuracy (%)" and "name" not in other
