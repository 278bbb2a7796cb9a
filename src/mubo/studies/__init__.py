"""The verbs: assemble, diagnose, kinematics. Each is a recipe over the compiled model."""

from mubo.studies.diagnose import Diagnosis, diagnose
from mubo.studies.kinematics import kinematics, time_grid

__all__ = ["Diagnosis", "diagnose", "kinematics", "time_grid"]
