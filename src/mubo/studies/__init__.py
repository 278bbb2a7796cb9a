"""The studies of a model, declarations only: from each follow a method, a command and keys of [analysis].

A line in STUDIES and a declaration give a method, a command and its help.
"""

from mubo.studies.declare import Study, StudyOption, option
from mubo.studies.design import MOTOR, SENSITIVITY, STRENGTH, SWEEP, TOLERANCE, VERIFY
from mubo.studies.motion import EQUATIONS, GAIT, INVERSE, KINEMATICS, LINEARIZE, SIMULATE, STATICS
from mubo.studies.optimize import OPTIMIZE, PARETO

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        *(KINEMATICS, INVERSE, STATICS, SIMULATE, LINEARIZE, EQUATIONS, STRENGTH, GAIT, VERIFY),
        *(SWEEP, SENSITIVITY, TOLERANCE, OPTIMIZE, PARETO, MOTOR),
    )
}

__all__ = ["STUDIES", "Study", "StudyOption", "option"]
