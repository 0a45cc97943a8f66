"""Parameters of the training of a recommender."""

from __future__ import annotations

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import for_experts, number, text


class TrainRecommenderParams(EngineParams):
    """The log where none is given, the model, and how it is trained and split."""

    rows: int = number(
        20_000, (200, 1_000_000), "impressions", "Generated log", "Data",
        "Number of generated impressions, if no click log is chosen.",
    )  # fmt: skip
    bottom_mlp: str = text(
        "16-8", "Bottom MLP", "Model", "Widths of the layers of the bottom MLP; the log defines its input.", longest=200
    )
    top_mlp: str = text(
        "32-16-1", "Top MLP", "Model", "Widths of the layers of the top MLP, the output last.", longest=200
    )
    embedding_dimension: int = number(
        8, (1, 256), "values", "Embedding", "Model",
        "Number of values of an embedding, and width of the last layer of the bottom MLP.",
    )  # fmt: skip
    epochs: int = number(3, (1, 200), "epochs", "Epochs", "Training", "Passes over the log, of each training.")
    batch_size: int = for_experts(number(128, (2, 65_536), "impressions", "Batch", "Training", "Impressions per step."))
    learning_rate: float = for_experts(
        number(5e-3, (1e-6, 1.0), "", "Learning rate", "Training", "Learning rate of Adam.")
    )
    seeds: int = number(
        3, (1, 20), "trainings", "Seeds", "Training", "Trainings of each model, from different weights."
    )
    most_loss_percent: float = number(
        0.5, (0, 100), "%", "Accuracy lost, at most", "Splitting",
        "Largest loss in percentage points on validation rows, mean over seeds; splitting stops there. Published: 0.1, "
            "on millions of impressions.",
    )  # fmt: skip
