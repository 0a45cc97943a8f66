"""The report of a run: controllers side by side, how sure the front is, what the numbers rest on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.designs import Designs
from engines.contract.quantities import SHARE, by_name
from engines.contract.results import Breakdown, Curve, Note, Series, Table, TableColumn
from engines.methods.split_computing.controllers import DQN, EXACT, LOCAL, ORACLE, R_AGNOSTIC, TITLES
from engines.methods.split_computing.explain import words_of
from engines.methods.split_computing.instance import ControlInstance
from engines.methods.split_computing.quantities import QUANTITIES
from engines.methods.split_computing.scoring import Bench

CERTAINTY = (
    "Windows are independent, and no action changes the next one. The best controller is therefore a table over channel, queue "
    "and belief, computed from the model itself. The controllers at prices are exact. None with the same information has a "
    "smaller mean of energy + price x risk + price x missed deadlines. Between two of them there may be others."
)
NAMED = tuple(TITLES[name] for name in (LOCAL, R_AGNOSTIC, ORACLE, EXACT, DQN))
_SHOWN = (
    "energy_j", "saved_fraction", "risky_fraction", "missed_fraction", "offloaded_fraction", "quality", "reward", "reward_lost",
)  # fmt: skip


def comparison(designs: Designs) -> Table:
    """Return the named controllers side by side."""
    rows = [row for row, label in enumerate(designs.label) if label in NAMED]
    known = by_name(QUANTITIES)
    columns = [TableColumn(known[name].title, designs.columns[name][rows], known[name].unit or "") for name in _SHOWN]
    titles = TableColumn("Controller", tuple(designs.label[row] for row in rows))
    return Table("controllers", "Comparison of controllers", (titles, *columns))


def action_shares(bench: Bench, designs: Designs) -> Breakdown:
    """Return what each of the named controllers does how often."""
    rows, count = [row for row, label in enumerate(designs.label) if label in NAMED], len(bench.instance.system.counts)
    taken = [bench.controller(designs.decisions[row])(bench.windows) for row in rows]
    shares = np.stack([np.bincount(actions, minlength=count) / len(actions) for actions in taken])
    titles = tuple(designs.label[row] for row in rows)
    return Breakdown("action-shares", "Actions of the controllers", titles, words_of(bench.instance), shares, SHARE)


def learning_curve(updates: Sequence[int], lost: Sequence[float]) -> Curve:
    """Return the reward that the double DQN loses to the exact optimum while it learns."""
    return Curve(
        "learning", "Double DQN: reward lost to the exact optimum", np.array(updates, np.float64), "Updates", "",
        (Series("Reward lost", np.array(lost), ""),), role="progress",
    )  # fmt: skip


def model_notes(instance: ControlInstance) -> tuple[Note, ...]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    params = instance.params
    text = "Scenes are simulated: the quality of detections is drawn from ranges that follow from the publication's Tables 5.3 "
    text += (
        f"to 5.5, and the context explains {100 * params.context_share:g} % of the variance of robust or not. "
        "With your own "
    )
    text += f"detector both differ. {100 * instance.scenes.robust_share:.1f} % of windows are robust."
    words = "The car computes what stays there while the radio sends and the server works. The answer's way back, the server's own "
    words += (
        "computing next to its queue, and the controller's own cost (0.66 ms and 5 mJ as published) are not counted."
    )
    trained = instance.trained
    return (
        Note("scenes", "Scenes", text, "warning"),
        Note("split-model", "The model of a window", words),
        *(() if trained is None else (Note("trained", "Where times and payload are from", f"{trained.words}."),)),
    )


def dqn_note(bench: Bench) -> Note:
    """Return how much the double DQN loses."""
    actions = {name: bench.controller({"controller": name})(bench.windows) for name in (DQN, EXACT)}
    both = {name: bench.columns(each) for name, each in actions.items()}
    same = float((actions[DQN] == actions[EXACT]).mean())
    text = f"The double DQN does what the exact optimum of the same reward does in {100 * same:.1f} % of windows and loses "
    text += f"{both[DQN]['reward_lost']:.3g} of reward a window (the optimum is expected to have "
    text += f"{float(bench.expected.max(axis=0).mean()):.3g}). Deadlines missed: {100 * both[DQN]['missed_fraction']:.2f} % "
    text += f"against {100 * both[EXACT]['missed_fraction']:.2f} %."
    return Note("double-dqn", "Double DQN against the exact optimum", text)
