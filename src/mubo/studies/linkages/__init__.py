"""Linkages of vectors and loops (O'Kins 1964): closure, exact kinematics, and the thesis' own scheme."""

from mubo.studies.linkages.closure import ClosureReport, check_linkage
from mubo.studies.linkages.historic import historic_kinematics
from mubo.studies.linkages.kinematics import linkage_kinematics

__all__ = ["ClosureReport", "check_linkage", "historic_kinematics", "linkage_kinematics"]
