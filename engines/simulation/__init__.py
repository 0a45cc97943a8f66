"""A simulation of many battery-powered devices in fixed time steps: their actions under a policy and their battery charge."""
