import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.data.data_set import Split  # noqa: E402
from engines.data.digits import digits  # noqa: E402
from engines.data.scaling import Scaling  # noqa: E402
from engines.data.torch_images import Images, pinned, takes_recorded  # noqa: E402


def test_batches_lie_within_one_and_are_scaled_where_another_side_is_asked_for() -> None:
    data = digits()
    rows = np.array([0, 2])
    split: Split = data.train
    own = Images(data, split.features.shape[-1], "cpu").batch(split, rows)
    assert own.shape == (2, *split.features.shape[1:]) and float(own.min()) >= 0 and float(own.max()) <= 1
    np.testing.assert_allclose(own.numpy(), split.features[rows] * np.float32(data.feature_scale), rtol=1e-6)
    assert Images(data, 16, "cpu").batch(split, rows).shape[-2:] == (16, 16)


def test_settings_of_torch_are_as_before_afterwards_even_after_an_error() -> None:
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    with pytest.raises(KeyError), pinned("cpu"):
        {}[torch.get_num_threads()]
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == before


def test_a_network_takes_recorded_values_as_their_scaling_gives_features() -> None:
    scaling = Scaling(np.array([101325 + 1 / 3, 0.0]), np.array([5.1, 2.0]))
    features = np.random.default_rng(0).standard_normal((4, 2, 8)).astype(np.float32)
    recorded = np.float32(features * scaling.deviation[:, None] + scaling.mean[:, None])
    given = torch.from_numpy(recorded[..., None])
    assert np.array_equal(takes_recorded(torch.nn.Identity(), scaling)(given).numpy()[..., 0], scaling.scaled(recorded))
    plain = torch.nn.Identity()
    assert takes_recorded(plain, None) is plain
