"""What a study lacks: a sentence each, and the tool that mends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import grounded
from mubo.studio.answers import MOST_BODIES, Answer
from mubo.studio.bars import links_without_section

MOST_NAMED = 3
Need = dict[str, Any]


def needs_of(answer: Answer) -> list[Need]:
    """The obstacles of the tab that is shown, each with the word of its button and the tool behind it."""
    model = answer.model
    if model is None or not set(model.bodies) - {GROUND} or len(model.bodies) > MOST_BODIES:
        return []  # there is nothing to begin with, or more than is drawn
    if answer.tab == "motion":
        return [*_ground(model)]
    return [*_masses(model, answer.tab), *(_sections(model) if answer.tab == "strength" else ())]


def _ground(model: ModelDefinition) -> Iterator[Need]:
    if not any(end.partition(".")[0] == GROUND for joint in model.joints.values() for end in joint.between):
        yield _need("", "Nothing is joined to the ground yet: click a pin that shall stay, and press ground.", "")


def _masses(model: ModelDefinition, tab: str) -> Iterator[Need]:
    fixed = {*grounded(model)}
    bodies = [body for name, body in model.bodies.items() if name not in fixed]
    light = [body.name for body in bodies if not body.weighs]
    weighs = any(body.weighs for body in bodies)
    moved = weighs or bool(model.forces)
    mend = "Add masses of steel bars, and gravity"
    if light and (tab == "dynamics" or not moved):
        kinds = "have no mass" if len(light) > 1 else "has no mass"
        rest = "" if tab == "dynamics" else ", and no load acts"
        mended = model.dimension == 2  # in space an inertia has six numbers, which no bar of these sizes gives
        words = f"{_few(light)} {kinds}{rest}{': from bars of steel?' if mended else '.'}"
        yield _need("masses", words, mend if mended else "", bodies=light)
    elif weighs and model.gravity is None and not model.forces and tab in ("statics", "dynamics"):
        yield _need("masses", "No gravity and no load acts: add gravity?", "Add gravity", bodies=[])


def _sections(model: ModelDefinition) -> Iterator[Need]:
    links = links_without_section(model)
    if links:
        kinds = "have no cross-section" if len(links) > 1 else "has no cross-section"
        yield _need(
            "sections", f"{_few(links)} {kinds}: flat bars of steel?", "Add sections of steel bars", bodies=links
        )


def _need(tool: str, text: str, mend: str, **given: Any) -> Need:
    return {"text": text, "mend": mend, "tool": tool, "with": given}


def _few(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown
