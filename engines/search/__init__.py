"""Parts that the searches of several engines share: strategies, NSGA-II, indicators, statistics."""
