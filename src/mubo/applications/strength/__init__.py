"""From motion to metal: loads of pins, bearings, links as beams, fatigue and buckling."""
