"""The study `strength`: of one run, or of a mission of several kinds of runs."""

from __future__ import annotations

from dataclasses import replace

from mubo.analyses.kinematics import settings_of
from mubo.applications.strength.mission import cases_of, strength_of_mission
from mubo.applications.strength.report import MissionCase, Strength
from mubo.applications.strength.strength import strength
from mubo.errors import MuboError
from mubo.model import ModelDefinition
from mubo.studies import STUDIES
from mubo.studies.design import StrengthOptions


def answer_strength(definition: ModelDefinition, asked: StrengthOptions) -> Strength:
    """Answers the study `strength`; its run keeps the result, so that it can be drawn."""
    found = _of_run(definition, asked) if asked.mission is None else _of_mission(definition, asked)
    record = replace(found.run.record, study="strength", strength=found)
    return replace(found, run=replace(found.run, record=record))


def _of_run(definition: ModelDefinition, asked: StrengthOptions) -> Strength:
    return strength(definition, asked.times, settings_of(asked), asked.scale, asked.deflection)


def _of_mission(definition: ModelDefinition, asked: StrengthOptions) -> Strength:
    """Every line of the mission is a run of its own, with its own output times."""
    assert asked.mission is not None
    study, cases = STUDIES["strength"], []
    given = {name: getattr(asked, name) for name in study.options}
    for k, (runs, values, label) in enumerate(cases_of(definition, asked.mission), 1):
        variant = definition.replace(**values) if values else definition
        try:
            found = _of_run(variant, study.read(variant, given))
        except MuboError as error:
            raise type(error)(f"case {k} of the mission: {error}") from None
        cases.append(MissionCase(k, runs, values, label, found))
    return strength_of_mission(cases)
