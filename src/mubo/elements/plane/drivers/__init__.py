"""Drivers, one file each: rows whose value f(t) is prescribed by a motion law."""
