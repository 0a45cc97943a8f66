"""What a run gets from its driver, and the steps that it gives back."""
