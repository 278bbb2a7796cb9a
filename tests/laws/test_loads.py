"""True for every load of the plane and of space, at random poses and twists of two bodies.

A new load is tested by being in a registry: its numbers are the examples of its options.
"""

import numpy as np
import pytest

from mubo import _core
from mubo._core import Along, Status
from mubo.elements import LOADS, PLANE_LOADS
from mubo.mechanism.loads import FOLLOWS
from mubo.view.scene.glyphs import GLYPHS

WORLDS = {"plane": (2, PLANE_LOADS, _core.PlaneLoads), "space": (3, LOADS, _core.SpaceLoads)}
FORMULAS = {"plane": _core.plane_loads(), "space": _core.space_loads()}
GEOMETRY = {"plane": _core.plane_geometry, "space": _core.space_geometry}
ALONG = {"of": (Along.turn, Along.slide), "between": (Along.distance,), "at": (Along.body,), "body": (Along.body,)}


def along_of(element):
    """What a load acts along: between bodies their turn, or nothing, where it acts on a pair of them."""
    if element.key == "between" and element.formula.name not in FOLLOWS:
        return (Along.pair,)
    if (element.key, element.ends) == ("between", "body"):
        return (Along.turn,)
    return ALONG[element.key]


CASES = [
    (world, name, along, seed)
    for world, (_, registry, _) in WORLDS.items()
    for name, element in registry.items()
    for along in along_of(element)
    for seed in range(3)
]
H = 1e-4


def unit(rng, size):
    one = rng.normal(size=size)
    return one / np.linalg.norm(one)


def geometry(world, along, rng):
    """Points and axes of a coordinate: s_i, u, s_j; s_i, s_j; two axes square to each other, and an arm."""
    size = WORLDS[world][0]
    if along == Along.slide:
        return [*rng.normal(size=size), *unit(rng, size), *rng.normal(size=size)]
    if along == Along.turn and world == "space":
        first, second = np.linalg.qr(rng.normal(size=(3, 2)))[0].T
        return [*first, *second, *unit(rng, 3)]
    return list(rng.normal(size=GEOMETRY[world](along)))


def numbers(world, element, rng, seed):
    """What fills the formula, from the examples of the options."""
    options = {option.name: option for option in element.options}
    derived = element.derive({option.name: option.example for option in element.options if option.holds != "law"})
    for name in element.formula.quantities:
        if name in ("point", "point_i", "point_j"):
            yield from rng.normal(size=WORLDS[world][0])
        elif name in derived:
            yield from derived[name]
        elif isinstance(options[name].holds, tuple):
            yield float(seed % len(options[name].holds))
        elif options[name].holds == "direction":
            yield from np.array(options[name].example) / np.linalg.norm(options[name].example)
        elif options[name].holds == "vector":
            yield from rng.normal(size=WORLDS[world][0])
        else:
            yield float(options[name].example)


def kind_of(world, element):
    return [name for name, *_ in FORMULAS[world]].index(element.formula.name)


def build(world, kind, along, law, p):
    arrays = [np.array([x], np.int32) for x in (kind, along, law)]
    return WORLDS[world][2](arrays[0], arrays[1], np.array([[0, 1]], np.int32), arrays[2], np.array(p, float))


class Case:
    """One load between two bodies at random poses and twists."""

    def __init__(self, world, name, along, seed):
        rng = np.random.default_rng(seed)
        self.world, self.element, self.along = world, WORLDS[world][1][name], along
        self.size = WORLDS[world][0]
        self.parameters = [*geometry(world, along, rng), *numbers(world, self.element, rng, seed)]
        self.formula = FORMULAS[world][kind_of(world, self.element)]
        law = 0 if self.element.formula.law else -1
        self.loads = build(world, kind_of(world, self.element), along, law, self.parameters)
        self.laws = np.array([0.7])
        self.poses = rng.normal(size=(2, 3 if self.size == 2 else 7))
        self.twists = rng.normal(size=(2, 3 if self.size == 2 else 6))
        self.poses[1, : self.size] += 3.0  # no two points meet

    @property
    def medium(self):
        """Where the velocity of the medium that the load acts against stands among its numbers; None without one."""
        if not self.element.formula.medium:
            return None
        assert self.element.formula.quantities[-1] == self.element.formula.medium
        return slice(-self.size, None)

    @property
    def at_rest(self):
        """Twists of bodies that rest: in the medium, where there is one."""
        out = np.zeros_like(self.twists)
        if self.medium:
            out[:, : self.size] = self.parameters[self.medium]
        return out

    def moving_on(self, velocity):
        """The same load with a medium that moves on by a velocity too."""
        if not self.medium:
            return self.loads
        numbers = np.array(self.parameters)
        numbers[self.medium] += velocity
        return build(self.world, kind_of(self.world, self.element), self.along, -1, numbers)

    def evaluate(self, poses=None, twists=None, laws=None, loads=None):
        given = (self.poses, poses), (self.twists, twists), (self.laws, laws)
        loads = loads or self.loads
        status, where, wrenches, energies = loads.evaluate(*(a if b is None else b for a, b in given))
        assert (status, where) == (Status.done, -1)
        return wrenches[0], dict(zip(("potential", "power", "dissipated", "supplied"), energies[0], strict=True))


@pytest.fixture(params=CASES, ids=lambda c: f"{c[0]}-{c[1]}-{c[2].name}-{c[3]}")
def case(request):
    return Case(*request.param)


def displaced(poses, changes):
    """Poses whose bodies move by the first part of `changes` and turn by the rest, a rotation vector in ground axes."""
    out = poses.copy()
    for pose, change in zip(out, np.asarray(changes, float), strict=True):
        if len(pose) == 3:
            pose += change
            continue
        pose[:3] += change[:3]
        angle = np.linalg.norm(change[3:])
        x, y, z = np.sinc(angle / 2 / np.pi) / 2 * change[3:]
        w = np.cos(angle / 2)
        turn = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
        pose[3:] = turn @ pose[3:]
    return out


def difference(function, h=H):
    """f'(0) to fourth order in h."""
    return (function(-2 * h) - 8 * function(-h) + 8 * function(h) - function(2 * h)) / (12 * h)


def each_direction(shape):
    for k in range(int(np.prod(shape))):
        one = np.zeros(shape)
        one.flat[k] = 1
        yield k, one


def test_declaration_fits_the_formula(case):
    _, along, count, lawful, *_ = case.formula
    assert along == (case.along not in (Along.body, Along.pair))
    assert len(case.parameters) == count + (GEOMETRY[case.world](case.along) if along else 0)
    assert lawful == bool(case.element.formula.law)
    assert case.element.word
    assert case.element.glyph in GLYPHS


def test_power_is_that_of_the_wrenches(case):
    wrenches, energy = case.evaluate()
    assert energy["power"] == pytest.approx(np.sum(wrenches * case.twists), rel=1e-12, abs=1e-13)


def test_power_is_stored_destroyed_or_brought_in(case):
    """Power on the bodies = −dE/dt − dissipated + supplied, E along the motion by differences."""
    _, energy = case.evaluate()
    rate = difference(lambda t: case.evaluate(displaced(case.poses, t * case.twists))[1]["potential"])
    expected = -rate - energy["dissipated"] + energy["supplied"]
    assert energy["power"] == pytest.approx(expected, rel=1e-7, abs=1e-7)
    *_, stores, supplies = case.formula
    assert supplies or energy["dissipated"] >= 0
    assert supplies or case.medium or energy["supplied"] == 0
    assert stores == (energy["potential"] != 0)


def test_force_at_rest_is_the_slope_of_the_energy(case):
    wrenches, energy = case.evaluate(twists=case.at_rest, laws=0 * case.laws)
    for k, way in each_direction(case.twists.shape):
        slope = difference(lambda h, way=way: case.evaluate(displaced(case.poses, h * way))[1]["potential"])
        assert wrenches.flat[k] == pytest.approx(-slope, rel=1e-7, abs=1e-7)
    assert (energy["dissipated"], energy["supplied"]) == (0, 0)


def test_a_moving_observer_sees_the_same_forces(case):
    """Galilei: everything shifted, and moving on with a constant velocity, the medium of a load included."""
    shift, speed = np.zeros_like(case.twists), case.twists.copy()
    shift[:, : case.size] = np.arange(1.0, case.size + 1)
    speed[:, : case.size] += np.arange(2.0, case.size + 2)
    loads = case.moving_on(np.arange(2.0, case.size + 2))
    seen = case.evaluate(displaced(case.poses, shift), speed, loads=loads)[0]
    np.testing.assert_allclose(seen, case.evaluate()[0], atol=1e-11)


def carried(case, turn, spin):
    """Poses and twists of both bodies turned about the origin by `turn` (plane: an angle), and spinning on with it."""
    if case.size == 2:
        c, s = np.cos(turn), np.sin(turn)
        R = np.array([[c, -s], [s, c]])
        places = case.poses[:, :2] @ R.T
        poses = np.column_stack([places, case.poses[:, 2] + turn])
        drag = spin * np.column_stack([-places[:, 1], places[:, 0]])
        twists = np.column_stack([case.twists[:, :2] @ R.T + drag, case.twists[:, 2] + spin])
        return R, np.eye(1), poses, twists
    turned = displaced(case.poses, [[0, 0, 0, *turn]] * 2)
    unit = displaced(np.array([[0, 0, 0, 1.0, 0, 0, 0]]), [[0, 0, 0, *turn]])[0, 3:]
    w, x, y, z = unit
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R = np.eye(3) + 2 * w * cross + 2 * cross @ cross
    turned[:, :3] = case.poses[:, :3] @ R.T
    twists = np.column_stack(
        [case.twists[:, :3] @ R.T + np.cross(spin, turned[:, :3]), case.twists[:, 3:] @ R.T + spin]
    )
    return R, R, turned, twists


def test_loads_between_bodies_turn_with_them(case):
    """What acts between two bodies does not know the ground, nor whether both spin together."""
    if case.along == Along.body:
        return
    turn, spin = (0.8, 1.7) if case.size == 2 else (np.array([0.4, -0.9, 0.5]), np.array([1.0, 0.3, -2.0]))
    R, S, poses, twists = carried(case, turn, spin)
    (before, stored), (after, same) = case.evaluate(), case.evaluate(poses, twists)
    expected = np.column_stack([before[:, : case.size] @ R.T, before[:, case.size :] @ S.T])
    np.testing.assert_allclose(after, expected, rtol=1e-10, atol=1e-10)
    for key in ("potential", "power", "dissipated", "supplied"):
        assert same[key] == pytest.approx(stored[key], rel=1e-9, abs=1e-9)


def test_action_is_reaction(case):
    if case.along == Along.body:
        np.testing.assert_array_equal(case.evaluate()[0][1], 0)
        return
    wrenches, _ = case.evaluate()
    arm, force, moment = np.zeros((3, 2, 3))
    arm[:, : case.size], force[:, : case.size] = case.poses[:, : case.size], wrenches[:, : case.size]
    moment[:, 2 if case.size == 2 else 0 :] = wrenches[:, case.size :]
    np.testing.assert_allclose(force.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose((moment + np.cross(arm, force)).sum(axis=0), 0, atol=1e-11)


def test_stiffness_is_the_slope_over_displacements(case):
    status, where, K = case.loads.stiffness(case.poses, case.twists, case.laws)
    assert (status, where) == (Status.done, -1)
    for k, way in each_direction(case.twists.shape):
        slope = difference(lambda h, way=way: case.evaluate(displaced(case.poses, h * way))[0])
        np.testing.assert_allclose(K[0, :, k], -slope.ravel(), rtol=1e-7, atol=1e-7)


def test_damping_is_the_slope_over_twists(case):
    status, where, C = case.loads.damping(case.poses, case.twists, case.laws)
    assert (status, where) == (Status.done, -1)
    for k, way in each_direction(case.twists.shape):
        slope = difference(lambda h, way=way: case.evaluate(twists=case.twists + h * way)[0])
        np.testing.assert_allclose(C[0, :, k], -slope.ravel(), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("world", WORLDS)
def test_a_pull_without_direction_is_named(world):
    """Two points that meet: refused where the pull needs a direction, k d with stiffness k · 1 where it does not."""
    size = WORLDS[world][0]
    kind = [name for name, *_ in FORMULAS[world]].index("spring")
    poses, twists = np.zeros((2, 3 if size == 2 else 7)), np.zeros((2, 3 if size == 2 else 6))
    if size == 3:
        poses[:, 3] = 1
    points = [0.0] * (2 * size)
    for rest, damping in ((0.5, 0.0), (0.0, 0.1)):
        load = build(world, kind, Along.distance, -1, [*points, 40.0, rest, damping])
        for answer in (load.evaluate, load.stiffness, load.damping):
            assert answer(poses, twists, np.zeros(0))[:2] == (Status.zero_length, 0)
    load = build(world, kind, Along.distance, -1, [*points, 40.0, 0.0, 0.0])
    status, _, wrenches, _ = load.evaluate(poses, twists, np.zeros(0))
    assert status == Status.done
    np.testing.assert_array_equal(wrenches, 0)
    K = load.stiffness(poses, twists, np.zeros(0))[2][0]
    np.testing.assert_allclose(K[:size, :size], 40 * np.eye(size))


def test_turns_in_space_are_counted_from_the_last_value():
    """A spring k = 2 at an angle of 0.3 + 6π: the effort −k q acts about z on the second body."""
    kind = [name for name, *_ in FORMULAS["space"]].index("spring")
    x, y = np.eye(3)[:2]
    load = build("space", kind, Along.turn, -1, [*x, *y, *x, 2.0, 0.0, 0.0])
    poses = np.array([[0, 0, 0, 1.0, 0, 0, 0], [0, 0, 0, np.cos(0.15), 0, 0, np.sin(0.15)]])
    for turns in (0, 3, -1):
        angle = 0.3 + 2 * np.pi * turns
        wrenches = load.evaluate(poses, np.zeros((2, 6)), np.zeros(0), np.array([angle + 1.0]))[2]
        assert wrenches[0, 1, 5] == pytest.approx(-2 * angle, rel=1e-13)


def test_wrong_arrays_are_refused():
    kind = [name for name, *_ in FORMULAS["plane"]].index("effort")
    with pytest.raises(ValueError, match="law of time"):
        build("plane", kind, Along.turn, -1, [])
    with pytest.raises(ValueError, match="does not act along"):
        build("plane", kind, Along.dof, 0, [])
    load = build("plane", kind, Along.turn, 0, [])
    with pytest.raises(ValueError, match="without a value"):
        load.evaluate(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(0))
    with pytest.raises(ValueError, match="without a pose"):
        load.evaluate(np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1))
