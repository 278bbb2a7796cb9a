"""Derivatives of the equations by parameters, exact for the rows, the poses of bodies and the motion laws.

Without an offset the profile is base + roller + lift, turned by `travel`: its pieces are linear in the values and
derivatives of the lift at their ends, so that the derivatives of those give the pieces of the derivative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.tangent import all_derivatives, promote, value_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.cam_lift import CamLayout, knots_of
from mubo.mechanism.couplers import FunctionPieces
from mubo.mechanism.curves import CurvePieces
from mubo.mechanism.estimates import drawn_pose
from mubo.mechanism.mechanism import Mechanism, motion_factor
from mubo.mechanism.plane_rows import row_derivatives
from mubo.mechanism.profiles import TURN, CamProfile, join_pieces
from mubo.mechanism.rows import NamedRow, pack
from mubo.model import Driver, Joint, ModelDefinition, Units
from mubo.model.dependence import depends

Names = tuple[str, ...]
PLACING = ("body", "joint", "initial")  # tables whose numbers place the bodies of space before anything is solved
POWERS = np.arange(1, 6)


@dataclass(frozen=True)
class EquationDerivatives:
    """Derivatives of a mechanism's equations by the parameters `names`."""

    mechanism: Mechanism
    names: Names
    parameters: Array  # names × numbers of the rows, in the core's order
    fixed: Array  # names × coordinates of the fixed bodies
    profiles: Array  # names × coefficients of all profiles
    starts: Array  # names × drivers: of the constants added to their laws
    factors: Array  # names × drivers: of the change of their rows per unit of their laws
    rows: tuple[NamedRow, ...] = ()  # whose numbers have derivatives

    def motion(self, t: Array) -> Array:
        """Derivatives of f, f', f'' of every driver: times × names × three columns per driver."""
        mechanism, drivers = self.mechanism, list(self.mechanism.model.drivers.values())
        out = np.zeros((len(t), len(self.names), 3 * len(drivers)))
        motion = mechanism.motion(t)
        for k, driver in enumerate(drivers):
            at, factor = slice(3 * k, 3 * k + 3), mechanism.motion_factors[k]
            change = _law_derivatives(driver, t, self.names)
            change[:, :, 0] += self.starts[:, k, None]
            change = change * factor + motion[None, :, at] / factor * self.factors[:, k, None, None]
            out[:, :, at] = change.transpose(1, 0, 2)
        return out

    def dual_motion(self, t: Array) -> Array:
        """f, f', f'' of every driver with their derivatives."""
        return promote(self.mechanism.motion(t), self.motion(t).transpose(1, 0, 2), self.names)

    @property
    def dual_factors(self) -> Array:
        """Change of every driver's row per unit of its law, with its derivatives."""
        return promote(self.mechanism.motion_factors, self.factors, self.names)


def equation_derivatives(mechanism: Mechanism, names: Sequence[str]) -> EquationDerivatives:
    """The derivatives of a mechanism's equations by some of the model's parameters."""
    model, names = mechanism.model, tuple(names)
    for name in names:
        model.parameters.require(name)
    poses = _poses(mechanism, names)
    rows = mechanism.equation_rows(poses).rows
    fixed = [all_derivatives(poses[name], names) for name in mechanism.fixed]
    factors = np.array(
        [all_derivatives(motion_factor(model, d, next(iter(poses.values()))), names) for d in model.drivers.values()]
    )
    factors = factors.reshape(-1, len(names)).T
    return EquationDerivatives(
        mechanism=mechanism,
        names=names,
        parameters=np.concatenate([np.zeros((len(names), 0)), *(row_derivatives(row, names) for row in rows)], axis=1),
        fixed=np.concatenate([np.zeros((len(names), 0)), *fixed], axis=1),
        profiles=_profiles(model, rows, names),
        starts=_starts(mechanism, rows, poses, factors, names),
        factors=factors,
        rows=rows,
    )


def _poses(mechanism: Mechanism, names: Names) -> Mapping[str, Array]:
    """Estimates with their derivatives; in space, where rows do not need them, without."""
    if mechanism.dimension == 3:
        return {name: promote(pose, 0.0, names) for name, pose in mechanism.poses.items()}
    like = promote(0.0, 0.0, names)
    return {name: drawn_pose(body, like) for name, body in mechanism.model.bodies.items()}


def _law_derivatives(driver: Driver, t: Array, names: Names) -> Array:
    if not depends(driver.motion, names):
        return np.zeros((len(names), len(t), 3))
    try:
        return driver.motion.derivatives(t, names)
    except ModelError as error:
        raise ModelError(f"driver {driver.name}: {error}", names=[driver.name]) from None


def _starts(
    mechanism: Mechanism, rows: Sequence[NamedRow], poses: Mapping[str, Array], factors: Array, names: Names
) -> Array:
    """Derivatives of the drawn values of the drivers that start there: Φ of their rows over their factors."""
    drivers = list(mechanism.model.drivers.values())
    asked = np.array([bool(driver.start) for driver in drivers], bool)
    if not asked.any():
        return np.zeros((len(names), len(drivers)))
    _require_still(mechanism, names)
    driven = [row for row in rows if row.driver >= 0]
    system = pack([row for row in mechanism.rows if row.driver >= 0], mechanism.dimension, list(poses), {})
    q, still = np.concatenate([value_of(pose) for pose in poses.values()]), np.zeros(3 * len(drivers))
    moved = np.concatenate([all_derivatives(pose, names) for pose in poses.values()], axis=1)
    numbers = np.concatenate([row_derivatives(row, names) for row in driven], axis=1)
    change = moved @ system.jacobian(q, still).T + numbers @ system.parameter_jacobian(q, still).T
    return np.where(asked, (change - mechanism.drawn_values * factors) / mechanism.motion_factors, 0.0)


def _require_still(mechanism: Mechanism, names: Names) -> None:
    """Refuse drivers that start as drawn where bodies of space are drawn by numbers that depend on parameters."""
    if mechanism.dimension == 2:
        return
    for (table, *rest), number in mechanism.model.dependents.items():
        if table in PLACING and not number.names.isdisjoint(names):
            starting = next(driver.name for driver in mechanism.model.drivers.values() if driver.start)
            raise ModelError(
                f"driver {starting} starts as drawn, and {table} {rest[0]} is drawn by a parameter: how the start "
                "follows it is not known in space",
                names=[starting],
                suggestion="Give the driver's motion the value to start from.",
            )


def _profiles(model: ModelDefinition, rows: Sequence[NamedRow], names: Names) -> Array:
    """Derivatives of the coefficients of all cams."""
    parts = [np.zeros((len(names), 0))]
    for row in rows:
        if row.profile is None:
            continue
        joint = model.joints[row.owner.name]
        if isinstance(row.profile, CurvePieces | FunctionPieces):
            if depends(joint.options, names):
                raise ModelError(f"joint {joint.name}: sensitivities to its curve are not known", names=[joint.name])
            parts.append(np.zeros((len(names), row.profile.coefficients.size)))
        elif depends((joint.options, row.values["point_i"]), names):
            parts.append(profile_derivatives(joint, row.profile, model.units, names).reshape(len(names), -1))
        else:
            parts.append(np.zeros((len(names), row.profile.coefficients.size)))
    return np.concatenate(parts, axis=1)


def profile_derivatives(joint: Joint, profile: CamProfile, units: Units, names: Sequence[str]) -> Array:
    """Derivatives of the six coefficients of every piece: names × pieces × 6."""
    options, names = joint.options, tuple(names)
    for key in ("contour", "offset"):
        if key in options and (key == "contour" or float(options[key] or 0.0) or depends(options[key], names)):
            raise ModelError(f"joint {joint.name}: derivatives of a cam with {key} are not known", names=[joint.name])
    out = np.zeros((len(names), *profile.coefficients.shape))
    if depends(options["lift"], names):
        out += _lift_derivatives(joint, units, names)
    for key in ("base", "roller"):
        out[:, :, 0] += all_derivatives(options.get(key, 0.0), names)[:, None]
    turned = np.zeros_like(profile.coefficients)
    turned[:, :5] = POWERS * profile.coefficients[:, 1:]
    return out - all_derivatives(options.get("travel") or 0.0, names)[:, None, None] * turned


def _lift_derivatives(joint: Joint, units: Units, names: tuple[str, ...]) -> Array:
    law, factor = joint.options["lift"], units.angle_factor()
    try:
        law.derivatives(np.zeros(1), names)  # refuses laws without derivatives
    except ModelError as error:
        raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None
    knots, middles = knots_of(law, TURN / factor)
    scale = np.array([1.0, 1 / factor, 1 / factor**2])
    ends = [all_derivatives(law.at(promote(at, 0.0, names), middles), names) * scale for at in (knots[:-1], knots[1:])]
    layout, angles = CamLayout.from_options({"base": 0.0, **joint.options}), knots * factor
    start = layout.travel + (-angles[0] if layout.falling else angles[0])
    return np.array(
        [
            join_pieces(start, np.diff(angles), left, right, falling=layout.falling).coefficients
            for left, right in zip(*ends, strict=True)
        ]
    )
