"""Statics: where a mechanism stays by itself under its loads, and what it takes to keep it elsewhere."""
