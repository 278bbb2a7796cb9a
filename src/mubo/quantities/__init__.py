"""Units, their algebra, parameters, and expressions with units."""
