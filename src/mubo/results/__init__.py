"""What was found: columns with names and units, events, and how it was solved."""

from mubo.results.run import Event, LinkageTrajectory, Trajectory, require_ending

__all__ = ["Event", "LinkageTrajectory", "Trajectory", "require_ending"]
