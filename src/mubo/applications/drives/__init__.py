"""Motors, gears and flywheels for what a driver has to do."""
