"""What an event looks at: a joint coordinate, or any column or measure of a run."""

from __future__ import annotations

from mubo.errors import ModelError, nearest
from mubo.model.column_names import Column, joint_columns
from mubo.model.coordinates import coordinate_names, coordinate_of, reported_dofs
from mubo.model.measures import quantities_with_measures
from mubo.model.parts import Parts


def watched_column(model: Parts, of: str) -> Column:
    """The column that "A", "A.q2", "crank.omega" or the name of a measure means."""
    name, dot, word = of.partition(".")
    if name in model.joints and name not in model.measures and (not dot or word.startswith("q")):
        joint, number = coordinate_of(model, of)
        return joint_columns(name, reported_dofs(model, joint), "q")[number]
    known = quantities_with_measures(model)
    if of not in known:
        raise ModelError(f'there is no joint, column or measure "{of}". {nearest(of, [*model.joints, *known])}')
    if of == "energy.error":
        raise ModelError("energy.error measures the accuracy of a run: it cannot be an event of the motion")
    if of == "t":
        raise ModelError("time passes every value: an event of t says nothing; a run ends at its end")
    return known[of]


def kind_of_value(column: Column) -> str:
    """The kind of a value of a column, for reading text with a unit: "angle/time" for an angular velocity."""
    per = {0: "", 1: "/time"}.get(column.order, f"/time^{column.order}")
    return column.holds + per if " " not in column.holds and "^" not in column.holds else "number"


def is_ball(model: Parts, column: Column) -> bool:
    """Whether a column is a coordinate or rate of a ball, or part of a quaternion: no event finds these."""
    if column.kind == "body":
        return column.quantity in ("qw", "qx", "qy", "qz")
    if column.kind != "joint" or column.owner not in model.joints:
        return False
    joint = model.joints[column.owner]
    dofs = [dof for dof in reported_dofs(model, joint) for _ in dof.q]
    if column.quantity.startswith("turn"):
        return True
    names = coordinate_names(model, joint)
    return dofs[names.index(column.quantity)].kind == "ball"
