"""Strength: loads of pins and bearings, links as beams, fatigue and buckling."""
