"""What is mapped: blocks, rules, clock settings, and what all of it costs."""
