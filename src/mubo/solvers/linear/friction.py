"""Friction in small motions: its viscous part is linear; Coulomb's jumps where the rate changes its sign."""

from __future__ import annotations

from dataclasses import replace

from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.mechanism.wording import join_words
from mubo.model import ModelDefinition

DRY = ("coulomb", "effort", "radius")


def without_coulomb(model: ModelDefinition, about: str) -> tuple[list[str], ModelDefinition]:
    """The model with the viscous part of friction alone; refused about a steady motion, which it would slow."""
    kinds = loads_of(model.dimension)
    rubs = {name: force for name, force in model.forces.items() if kinds[force.kind].formula.smooths}
    dry = [name for name, force in rubs.items() if any(force.options.get(word) is not None for word in DRY)]
    if not dry:
        return [], model
    if about == "steady":
        raise ModelError(
            f"{join_words(dry)}: Coulomb friction has no slope where joints stand, and a steady motion has both: "
            "joints that turn and joints that stand",
            names=dry,
            suggestion="Leave it out, or give its viscous part alone.",
        )
    forces = dict(model.forces)
    for name in dry:
        smooth = {word: value for word, value in forces[name].options.items() if word not in DRY}
        if smooth.get("viscous"):
            forces[name] = replace(forces[name], options=smooth)
        else:
            del forces[name]
    note = (
        f"{join_words(dry)}: the Coulomb part is left out, a viscous part kept: small motions below its limit stick, "
        "larger ones die away faster than told"
    )
    return [note], model.changed(forces=forces)
