"""Statics: equilibria of the undriven degrees of freedom under the applied loads, with their stability."""
