"""Slopes by parameters: what the core, the rows, and the columns say they are, differences confirm.

A new row, joint or driver is tested by being in its registry.
"""

import numpy as np
import pytest
from conftest import EXAMPLES
from test_rows import WORLDS, first_difference, shape_of
from tied import by_differences, tied

import mubo
from mubo import _core
from mubo.analyses.inverse import inverse
from mubo.analyses.kinematics import kinematics
from mubo.elements import JOINTS, SPATIAL_JOINTS
from mubo.laws.tangent import promote
from mubo.mechanism import mechanism_of
from mubo.mechanism.parameter_derivatives import equation_derivatives
from mubo.mechanism.profiles import CamProfile
from mubo.quantities.output_times import OutputTimes
from mubo.solvers.forces.shaking_sensitivity import sensitivity_of_motion
from mubo.solvers.kinematics.sensitivity import MotionSensitivity

ANGLES = np.linspace(0.1, 6.0, 17)
# Rows on velocities are not differentiated by parameters: studies that would need it refuse what rolls.
ON_POSITIONS = {w: [k for k, row in enumerate(WORLDS[w][1]) if not row[4]] for w in WORLDS}
CASES = [(w, kind, last) for w in WORLDS for kind in ON_POSITIONS[w] for last in ("free", "fixed")]


class Held:
    """One row between bodies of which the last moves or stands, and fillers that hold every coordinate.

    Every number of the row, of the standing body, of the law and of the profile changes with the parameter.
    """

    def __init__(self, world, kind, last):
        self.world, self.kind = world, kind
        self.core, kinds, self.width = WORLDS[world]
        self.name, self.rows, self.bodies, count, _ = kinds[kind]
        self.free = self.bodies if last == "free" or self.bodies == 1 else self.bodies - 1
        rng = self.rng = np.random.default_rng(kind)
        self.p, self.dp = rng.uniform(0.4, 1.6, (2, count))
        self.fixed, self.dfixed = rng.uniform(-0.8, 0.8, (2, self.bodies - self.free, self.width))
        self.f, self.df = rng.uniform(-0.6, 0.6, (2, 3))
        self.state = rng.uniform(-0.8, 0.8, (3, self.width * self.free))
        self.shape = shape_of(world, kind)[0]
        self.coefficients = np.array(self.shape[2])
        self.dcoefficients = rng.uniform(-0.3, 0.3, len(self.coefficients)) * (0.1 if self.name == "curve" else 1)

    def system(self, h=0.0):
        """The row with the parameter at h, then the fillers."""
        names = [row[0] for row in WORLDS[self.world][1]]
        kinds, bodies, numbers = [self.kind], [[*range(self.bodies)]], [self.p + h * self.dp]
        for body in range(self.free):
            if self.width == 3:
                fillers = [("coordinate", [*unit, 0.0]) for unit in np.eye(3)]
            else:
                at = np.vstack([np.zeros(3), np.eye(3)])
                fillers = [("normalise", [1.0])]
                fillers += [
                    ("place", [*point, *axis, *[0.0] * self._rest("place")]) for point in at for axis in np.eye(3)
                ]
            kinds += [names.index(name) for name, _ in fillers]
            bodies += [[body]] * len(fillers)
            numbers += [np.array(given) for _, given in fillers]
        padded = np.array([(b + [-1] * 3)[: _core.max_bodies] for b in bodies], np.int32)
        driver = np.array([0 if self.rows == 1 else -1] + [-1] * (len(kinds) - 1), np.int32)
        profile = np.array([0] + [-1] * (len(kinds) - 1), np.int32)
        shape = [(*self.shape[:2], (self.coefficients + h * self.dcoefficients).tolist())]
        fixed = (self.fixed + h * self.dfixed).reshape(-1, self.width)
        return self.core(
            self.free, fixed, np.array(kinds, np.int32), padded, driver, profile, np.concatenate(numbers), shape
        )

    def _rest(self, name):
        return next(row[3] for row in WORLDS[self.world][1] if row[0] == name) - 6


@pytest.mark.parametrize(("world", "kind", "last"), CASES, ids=lambda x: str(x))
def test_the_core_differentiates_every_row_to_second_order(world, kind, last):
    """Φ, J v − ν and J a − γ keep their values where states move by the slopes: a second formulation says so."""
    held = Held(world, kind, last)
    system, (q, v, a) = held.system(), held.state
    J = system.jacobian(q, held.f)
    active = independent(J, held.rows)
    slopes = np.zeros((1, system.parameter_jacobian(q, held.f).shape[1]))  # the fillers stay as they are
    slopes[0, : len(held.dp)] = held.dp
    singular, moved, left = system.sensitivities(
        active[None],
        held.state[None],
        held.f[None],
        slopes,
        held.dfixed.reshape(1, -1),
        held.df[None, None],
        held.dcoefficients[None],
    )
    assert not singular[0]
    np.testing.assert_allclose(left[0][active], 0, atol=1e-9)
    dq, dv, da = moved[0, 0]

    def equations(h):
        there, f = held.system(h), held.f + h * held.df
        x, rate, bend = q + h * dq, v + h * dv, a + h * da
        J, (nu, gamma) = there.jacobian(x, f), there.right_sides(x, rate, f)
        return np.array([there.phi(x, f), J @ rate - nu, J @ bend - gamma])[:, active]

    size = 1 + np.max(np.abs(moved))
    np.testing.assert_allclose(first_difference(equations, 3e-4) / size, 0, atol=1e-8)


def independent(J, first):
    """As many equations as unknowns: the first ones, then always the one that is farthest from those chosen."""
    chosen, rest = [], J.copy()
    for row in range(J.shape[1]):
        k = row if row < first else int(np.argmax(np.linalg.norm(rest, axis=1)))
        chosen.append(k)
        unit = rest[k] / np.linalg.norm(rest[k])
        rest = rest - np.outer(rest @ unit, unit)
    return np.array(chosen, np.int32)


def joined(kind, dimension):
    """Two bodies and one joint, with the options that its declaration has as examples."""
    element = (JOINTS if dimension == 2 else SPATIAL_JOINTS)[kind]
    model = mubo.Model(kind, dimension=dimension)
    place = ((0.5, -0.3), (0.9, 0.7)) if dimension == 2 else ((0.5, -0.3, 0.8), (0.9, 0.7, 0.1))
    at = ((0.3, -0.2, 0.5)[:dimension], (0.1, 0.4, -0.3)[:dimension])
    turned = {"angle": 0.4} if dimension == 2 else {"orientation": (0.8, 0.36, 0.48, 0.0)}
    for name, position, point in zip(("first", "second"), place, at, strict=True):
        model.body(name, position, points={"P": point}, **turned)
    options = {o.name: o.example for o in element.options if o.example is not None}
    if element.on_shafts == "cross":
        options |= {"radius": 0.2}  # of the size of the distance
    if element.profiled:
        options |= {"base": 0.4, "lift": 0.1}
    ends = {"of": ["first.phi"], "body": ["first"]}.get(element.key)
    ends = ends or (["first", "second"] if element.ends == "body" else ["first.P", "second.P"])
    model.ground.point("G", place[1])
    if element.relates or element.on_shafts:  # it needs two joints
        model.ground.point("H", place[0])
        axis = (0.4, 1.35, -0.7 + 0.8 * 0.35 / 0.6) if element.on_shafts == "meet" else (0.6, 0, 0.8)
        model.joint("A", "revolute", "ground.H", "first.P", axis=axis)
        model.joint("B", "revolute", "ground.G", "second.P", axis=(0, 0.6, 0.8))
    else:
        model.joint("held", "revolute" if dimension == 2 else "spherical", "ground.G", "second.P")
    model.joint("J", kind, *ends, **options)
    return model.build()


@pytest.mark.parametrize(
    ("kind", "dimension"), [*((kind, 2) for kind in JOINTS), *((kind, 3) for kind in SPATIAL_JOINTS)], ids=str
)
def test_numbers_of_every_joint_follow_the_parameter(kind, dimension):
    """What was left out and is taken from the estimates too."""
    model = tied(joined(kind, dimension))
    mechanism = mechanism_of(model)
    if dimension == 2 and JOINTS[kind].curved:
        with pytest.raises(mubo.ModelError, match="sensitivities to its curve are not known"):
            equation_derivatives(mechanism, ["p"])
        return

    def numbers(p):
        rows = mechanism_of(model.replace(p=p)).rows
        return np.array([number for row in rows for number in row.parameters], float)

    def heights(p):
        """Of all cams, at some angles."""
        rows = mechanism_of(model.replace(p=p)).rows
        return np.array([row.profile(ANGLES)[:, 0] for row in rows if row.profile is not None])

    found = equation_derivatives(mechanism, ["p"])
    np.testing.assert_allclose(found.parameters[0], by_differences(numbers), rtol=1e-8, atol=1e-10)
    if found.profiles.size:
        (profile,) = (row.profile for row in mechanism.rows if row.profile is not None)
        slope = CamProfile(profile.knots, found.profiles[0].reshape(-1, 6))
        np.testing.assert_allclose(slope(ANGLES)[:, 0], by_differences(heights)[0], rtol=1e-7, atol=1e-9)


EVERY = (
    "swing_arm",
    "planetary_gear",
    "rack_and_pinion",
    "whitworth",
    "belt_drive",
    "rssr",
    "hooke_joint",
    "screw_jack",
)


@pytest.mark.parametrize("example", EVERY)
def test_every_column_follows_every_number(example):
    """All numbers of a model change at once, each in its own way; drivers as drawn, measures and Euler angles too."""
    model = tied(mubo.load(EXAMPLES / f"{example}.toml").build())
    asked = model.output_times()
    start, end = asked.start, asked.end
    times = OutputTimes(start, start + 0.2 * (end - start), 0.1 * (end - start))
    run = kinematics(model, times)
    slopes = MotionSensitivity(run, ("p",))
    names = [name for name in slopes.columns if name != "t"]
    assert {*names, "t"} == {*run.columns}

    def columns(p):
        found = kinematics(model.replace(p=p), times)
        return np.array([found[name] for name in names])

    differences = by_differences(columns)
    sizes = scales(run, slopes, end - start)
    for name, difference in zip(names, differences, strict=True):
        column = run.columns.column(name)
        off = np.max(np.abs(slopes[name][0] - difference))
        assert off < 1e-8 * sizes[column.holds, column.order], name


def scales(run, slopes, time):
    """The size of what columns hold, by kind and order; of a rate at least that of its quantity over the time."""
    out = {}
    for name in slopes.columns:
        column = run.columns.column(name)
        size = max(np.max(np.abs(run[name])), np.max(np.abs(slopes[name])))
        for order in range(column.order, 3):
            key = column.holds, order
            out[key] = max(out.get(key, 1e-12), size / time ** (order - column.order))
    return out


@pytest.mark.parametrize("example", ["lanchester", "desk_lamp", "excavator", "robot_arm"])
def test_the_shaking_wrench_follows_every_number(example):
    """Lengths, masses, centres, inertias and laws change at once, in the plane and in space."""
    model = mubo.load(EXAMPLES / f"{example}.toml").build()
    model = tied(model, weighing=True)
    times = OutputTimes(0.0, 0.02, 0.01)
    run = inverse(model, times)
    slopes = sensitivity_of_motion(run, ("p",))
    names = [column.name for column in run.columns.of_kind("shaking")]

    def columns(p):
        found = inverse(model.replace(p=p), times)
        return np.array([found[name] for name in names])

    for name, difference in zip(names, by_differences(columns), strict=True):
        size = max(np.max(np.abs(run[n])) for n in names)
        assert np.max(np.abs(slopes[name][0] - difference)) < 1e-8 * size, name


def test_redundant_equations_that_would_contradict_each_other_are_told():
    """The fourth hinge of a planar four-bar in space is redundant: other lengths keep it so, another axis does not."""
    model = tied(mubo.load(EXAMPLES / "four_bar_in_space.toml").build())
    run = kinematics(model, OutputTimes(0.0, 0.1, 0.1))
    with pytest.raises(mubo.RedundancyError, match="would no longer close if p alone changed"):
        _ = MotionSensitivity(run, ("p",)).columns


def test_what_is_joined_to_slopes_without_any_has_none():
    """Plain numbers beside an array with slopes, in NumPy's functions and in places of it."""
    x = promote(np.array([1.0, 2.0]), [[3.0, 4.0]], ["p"])
    np.testing.assert_array_equal(np.concatenate([[5.0], x]).d, [[0.0, 3.0, 4.0]])
    np.testing.assert_array_equal(np.stack([x, np.ones(2)], 1).d, [[[3.0, 0.0], [4.0, 0.0]]])
    np.testing.assert_array_equal(np.where(x > 1.5, x, 7.0).d, [[0.0, 4.0]])
    y = x.copy()
    y[0] = 9.0
    np.testing.assert_array_equal(y.d, [[0.0, 4.0]])
    np.testing.assert_array_equal((2 * x + x**2 / x).d, 3 * x.d)
    for lossy in (lambda: np.asarray(x), lambda: np.add(np.zeros(2), x, out=np.zeros(2)), lambda: np.median(x)):
        with pytest.raises(TypeError, match="slopes by"):
            lossy()
