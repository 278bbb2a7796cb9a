"""The studies that mubo knows. A line here and a declaration give a method, a command and its help."""

from __future__ import annotations

from mubo.studies.declare import Study
from mubo.studies.design import OPTIMIZE, SENSITIVITY, SWEEP, TOLERANCE, VERIFY
from mubo.studies.motion import GAIT, INVERSE, KINEMATICS, LINEARIZE, SIMULATE, STATICS, STRENGTH

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        *(KINEMATICS, INVERSE, STATICS, SIMULATE, LINEARIZE, STRENGTH, GAIT, VERIFY),
        *(SWEEP, SENSITIVITY, TOLERANCE, OPTIMIZE),
    )
}
