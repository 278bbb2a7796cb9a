"""Linkages from what they are to do: functions, motions, paths, swings and quick returns."""
