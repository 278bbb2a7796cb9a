"""Check of couplers: coordinates of two joints, each at an end of its own, by one formula."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.errors import ModelError
from mubo.model.coordinates import coordinate_of, joint_dofs
from mubo.model.parts import Joint, Parts

MOST = 6  # coefficients of a polynomial


def coupler_problems(model: Parts, joint: Joint) -> Iterator[tuple[tuple[str, ...], str]]:
    """A coupler relates coordinates of two joints, each at an end of its own, by one formula."""
    where, names = ("joint", joint.name, "of"), joint.options.get("of", ())
    given = [name for name in ("ratio", "polynomial", "points") if name in joint.options]
    if len(given) > 1 or ("offset" in joint.options and given not in ([], ["ratio"])):
        yield ("joint", joint.name), f"the coupled coordinate has one formula; found {' and '.join(given)}"
    if len(joint.options.get("polynomial", ())) > MOST:
        yield ("joint", joint.name, "polynomial"), "a polynomial has six coefficients at most"
    if len(names) != 2:
        yield where, f"of needs two joint coordinates; found {len(names)}"
        return
    found = []
    for name, end in zip(names, joint.between, strict=False):
        try:
            moved, number = coordinate_of(model, name)
        except ModelError as error:
            yield where, str(error)
            continue
        found.append(moved.name)
        kinds = [dof.kind for dof in joint_dofs(model, moved)]
        if "ball" in kinds[: number + 1] or len(moved.between) != 2:
            yield where, f'"{name}" is no turn or slide between two bodies'
        if end.partition(".")[0] not in (reference.partition(".")[0] for reference in moved.between):
            yield where, f'joint "{moved.name}" does not move the body of "{end}"'
    if len(found) == 2 and found[0] == found[1]:
        yield where, f'both are coordinates of the joint "{found[0]}"; a coupler relates two joints'
