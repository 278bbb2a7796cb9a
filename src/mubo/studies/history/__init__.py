"""Linkages of vectors and loops (O'Kins 1964): closure, exact kinematics, and the thesis' own scheme."""

from mubo.studies.history.closure import ClosureReport, check_linkage
from mubo.studies.history.historic import historic_kinematics
from mubo.studies.history.kinematics import linkage_kinematics

__all__ = ["ClosureReport", "check_linkage", "historic_kinematics", "linkage_kinematics"]
