"""The course of a run: baselines, opening, stages, proposals and what is reported."""
