"""Why a design is as good as it is."""
