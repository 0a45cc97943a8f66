"""Many battery-powered devices over time, in fixed steps: what they do by which policy, and what their batteries say to it."""
