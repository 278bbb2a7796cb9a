"""Clearance of a mechanism: swept envelopes, distances of bodies and keep-out regions."""
