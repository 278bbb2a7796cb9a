"""Sentences of notes: a file for each room that states them, a function for each fact."""
