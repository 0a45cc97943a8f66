"""Published results of SBRS, computed again.

Exact rows are the method's algorithms on published inputs, arithmetic ones put published figures together. Fitted rows use layer
times chosen to give them. Predicted rows are the method on networks drawn from the published search spaces: the networks
themselves, trained for days, are not published.
"""

from __future__ import annotations

from engines.methods.sbrs.reproduction import published_tables, sampled_applications
from engines.methods.sbrs.reproduction.runs import APPLICATIONS, DEFAULT, PRINTED
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("sbrs",),
    headline="Pascal VOC, A = {I, O, par}: memory saved",
    readings={
        DEFAULT: "Figure 6 is ranked by its published values",
        PRINTED: "Figure 6 is weighed with its published ranks, of which two energy ranks contradict the values",
    },
    parts=(
        Part("ranks of Figure 6", lambda _: published_tables.compare_figure_6(), quick=True),
        Part("selected scenarios", lambda _: published_tables.compare_tables(), quick=True),
        Part("switching", lambda _: published_tables.compare_figure_8(), quick=True),
        Part("memory", lambda _: published_tables.compare_memory(), quick=True),
        Part("windows", lambda _: published_tables.compare_windows(), quick=True),
        Part("flight", lambda look: published_tables.compare_flight(look(published_tables.Flight())), quick=True),
        *(sampled_applications.part(application, quick=application == "voc") for application in APPLICATIONS),
    ),
)
