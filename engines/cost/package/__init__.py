"""Area and links of chiplet packages."""
