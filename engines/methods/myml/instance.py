"""A problem made ready: data, network by shape, user, choices, device, limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from engines.contract.engine import Problem, require
from engines.data.documents import ImageData
from engines.data.training_data import image_data_of
from engines.learning.weights_document import NetworkWeights
from engines.methods.myml.choices import (
    Choice,
    Rates,
    Space,
    fewest_channels,
    kept_channels,
    original,
    published,
    space_of,
)
from engines.methods.myml.costs import Device, device_of
from engines.methods.myml.layers import Layer, LayerRemainder, four_blocks
from engines.methods.myml.params import MymlParams
from engines.methods.myml.stages import unpruned
from engines.methods.myml.tracker import hits_needed
from engines.methods.myml.uploaded_weights import require_weights
from engines.methods.myml.user import Profile, equal, profile_of
from hardware.soc.model import Soc

PUBLISHED_RATES: Rates = (78.0, 62.0, 46.0, 30.0)  # group 1 is printed; a straight line from there, assumed


@dataclass(frozen=True, eq=False)
class MymlInstance:
    """The prepared problem that searches and pages share.

    Attributes:
        layers: layers of the original, from input to output.
        halved: mask of the halved outputs.
        user, later: classes before and after the drift.
        given: weights of the original that a person brought along; None: it is trained in place.
    """

    params: MymlParams
    data: ImageData
    layers: tuple[Layer, ...]
    halved: tuple[bool, ...]
    user: Profile
    later: Profile
    space: Space
    device: Device
    given: NetworkWeights | None
    seed: int

    @property
    def epochs(self) -> int:
        """Return the epochs of the original, 0 where its weights are given."""
        return self.params.epochs if self.given is None else 0

    @cached_property
    def whole(self) -> tuple[LayerRemainder, ...]:
        """The layers without pruning."""
        return unpruned(self.layers)

    @property
    def stage_images(self) -> int:
        """Return the images of each block, for the user as given."""
        return self.params.images_per_class * len(self.user.classes)

    @property
    def baselines(self) -> dict[str, Choice]:
        """The original, and what is published with the network of this problem where no layer is emptied by it."""
        kinds: dict[str, Callable[[str], Choice]] = {"Original": original}
        if all(kept_channels(fewest_channels(self.layers), rate) > 0 for rate in PUBLISHED_RATES):
            kinds["As published"] = partial(published, rates=PUBLISHED_RATES)
        platforms = {"cpu": "CPU", "accelerator": "accelerator"}
        return {f"{kind}, {title}": make(name) for kind, make in kinds.items() for name, title in platforms.items()}


def instance_of(problem: Problem[MymlParams]) -> MymlInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: classes that the network does not know, a rate that empties a layer, a window shorter than the classes need, a
            device whose CPU is not known well enough, signals in place of images, weights of another network.
    """
    params, data = problem.params, image_data_of(problem)
    require(not data.is_signals, "inputs.data", data.title, "a data set of images")
    side = (data.height, data.width)
    layers, halved = four_blocks(data.channels, side, len(data.classes), params.width, params.convolutions)
    given = problem.optional("weights", NetworkWeights)
    if given is not None:
        require_weights(given, layers, data, params)
    user, later = _profiles(problem, data)
    _require_window(params, user)
    require(
        params.population <= params.evaluations, "params.population", params.population, f"at most {params.evaluations}"
    )
    soc = problem.value("hardware", Soc)
    device = device_of(soc, params)
    accepted = "a device whose CPU has clocks, fp32 operations and power"
    require(
        device is not None,
        "inputs.hardware",
        soc.slug,
        accepted,
        remedies=["Add these values to a copy of the device."],
    )
    assert device is not None
    return MymlInstance(
        params, data, layers, halved, user, later, space_of(params, layers), device, given, problem.seed,
    )  # fmt: skip


def _profiles(problem: Problem[MymlParams], data: ImageData) -> tuple[Profile, Profile]:
    params, classes = problem.params, data.classes
    user = profile_of(params.user_classes, "params.user_classes", classes)
    later = profile_of(params.later_classes, "params.later_classes", classes)
    order = np.random.default_rng([problem.seed, len(classes)]).permutation(len(classes)).tolist()
    if user is None:
        accepted = f"2 to {len(classes)}, the classes of the network"
        require(
            2 <= params.user_class_count <= len(classes), "params.user_class_count", params.user_class_count, accepted
        )
        taken = set() if later is None else set(later.classes)
        preferred = sorted(order, key=lambda label: label in taken)
        user = equal(tuple(preferred[: params.user_class_count]))
    if later is None:
        others = [label for label in order if label not in user.classes]
        known = [label for label in order if label in user.classes]
        later = equal(tuple([*others, *known][: max(2, min(len(user.classes), len(others)))]))
    return user, later


def _require_window(params: MymlParams, user: Profile) -> None:
    share = 0.01 * params.learning_share_percent
    count = len(user.classes)
    accepted = f"below {100 / count:g}"
    reason = f"The {count} classes share the window."
    require(count * share < 1, "params.learning_share_percent", params.learning_share_percent, accepted, reason=reason)
    least = next(each for each in range(params.learning_window, 10**7) if count * hits_needed(each, share) <= each)
    accepted = f"at least {least}"
    reason = f"Each of {count} classes needs more than {params.learning_share_percent:g} % of the window."
    require(least == params.learning_window, "params.learning_window", params.learning_window, accepted, reason=reason)
