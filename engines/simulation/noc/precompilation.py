"""Compiling ahead of the first question, which has less time than compiling takes."""

from __future__ import annotations

from engines.simulation.noc.application import Application, Flow, Stage, run_application
from engines.simulation.noc.networks import crossbar
from engines.simulation.noc.simulation import Simulation
from engines.simulation.noc.traffic import uniform


def compile_once() -> None:
    """Compile the simulation where no earlier process has left it on disk: about twelve seconds of a processor; else at once.

    With and without applications on it.
    """
    Simulation(crossbar(2), uniform(2, 0.1)).advance(1)
    run_application(crossbar(2), Application((Flow("warm", (Stage(0, 1),)),)), 1)


if __name__ == "__main__":
    compile_once()
