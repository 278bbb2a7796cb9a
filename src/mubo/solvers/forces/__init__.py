"""Forces of a known motion: efforts of drivers, joint reactions, loads, and their energy."""
