"""Why a design is as good as it is: what its figures are made of, and the designs that differ from it by one change."""
