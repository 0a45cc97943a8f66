"""Language models on boards: time to the first token, tokens per second, memory and energy, with fits to public measurements."""
