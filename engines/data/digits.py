"""The bundled data set: 1,797 handwritten digits of 8 x 8 pixels in 17 shades of grey.

Source: test part of E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository (1998),
as scikit-learn carries it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engines.data.data_set import DataSet, Split
from engines.data.splitting import SPLIT_SEED, stratified_split

SHARES = (0.6, 0.2, 0.2)
_LARGEST_VALUE = 16


@cache
def digits(seed: int = SPLIT_SEED) -> DataSet:
    """Return the digits, 60 % to learn from, 20 % to choose by, 20 % to report on, every class spread alike."""
    from sklearn.datasets import load_digits  # costs half a second

    bundled = load_digits()
    images = bundled.images.astype(np.uint8)[:, np.newaxis]
    train, validation, test = stratified_split(Split(images, bundled.target.astype(np.int64)), SHARES, seed)
    return DataSet(
        name="digits",
        title="Handwritten digits (8 x 8)",
        train=train,
        validation=validation,
        test=test,
        classes=tuple(str(name) for name in bundled.target_names),
        source="Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, UCI (1998), from scikit-learn",
        feature_scale=1.0 / _LARGEST_VALUE,
    )
