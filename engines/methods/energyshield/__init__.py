"""EnergyShield: a vehicle that sends camera frames to a server only as long as it stays safe (odema-2024 chapter 6)."""
