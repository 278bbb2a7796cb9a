"""The studies of a model, declarations only: from each follow a method, a command and keys of [analysis]."""

from mubo.studies.declare import Study, StudyOption, option
from mubo.studies.registry import STUDIES

__all__ = ["STUDIES", "Study", "StudyOption", "option"]
