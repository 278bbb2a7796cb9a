"""Check of couplers: coordinates of two joints, each at an end of its own, by one formula; and of wheels on shafts."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.errors import ModelError, nearest
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


def shaft_problems(model: Parts, joint: Joint) -> Iterator[tuple[tuple[str, ...], str]]:
    """Two wheels turn in revolute joints of their own, both on one body that carries them."""
    where, names = ("joint", joint.name, "of"), joint.options.get("of", ())
    if len(names) != 2 or len(set(names)) != 2:
        yield where, f"of needs the two bearings of the wheels; found {len(names)}"
        return
    bodies = []
    for name, end in zip(names, joint.between, strict=False):
        if name not in model.joints:
            yield where, f'there is no joint "{name}". {nearest(name, model.joints)}'
            return
        bearing, wheel = model.joints[name], end.partition(".")[0]
        ends = [reference.partition(".")[0] for reference in bearing.between]
        if model.kinds[bearing.kind].dofs != ("turn z",) or len(ends) != 2:
            yield where, f'"{name}" is no revolute joint of two bodies'
        elif wheel not in ends:
            yield where, f'joint "{name}" does not carry the body of "{end}"'
        else:
            bodies.append(next((body for body in ends if body != wheel), wheel))
    if len(bodies) == 2 and bodies[0] != bodies[1]:
        yield where, f'one body carries both wheels; found "{bodies[0]}" and "{bodies[1]}"'
