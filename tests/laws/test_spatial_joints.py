"""True for every spatial joint of the registry: rows and degrees of freedom add up, and its degrees of freedom move it
without opening it.

A new joint is tested by being in the registry; its options have examples in their declaration.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mubo
from mubo.elements import SPATIAL_DRIVERS, SPATIAL_JOINTS
from mubo.mechanism import SPATIAL_ROW_KINDS, absolute, mechanism_of
from mubo.mechanism.joint_frames import joint_motion
from mubo.model.coordinates import column_names, holds_of
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.mobility import analyse_mobility
from mubo.solvers.columns.columns import motion_columns

PROPER = [name for name, joint in SPATIAL_JOINTS.items() if not joint.couples]
HINGES = [name for name, joint in SPATIAL_JOINTS.items() if joint.hinge]
AT, ON = np.array([0.3, -0.2, 0.5]), np.array([0.1, 0.4, -0.3])  # the joint's points
NONE = np.zeros(0)


def dofs(kind: str) -> int:
    """A ball has three, every other entry of the stack one."""
    return sum(3 if entry == "ball" else 1 for entry in SPATIAL_JOINTS[kind].dofs)


def two_bodies(kind: str, **more) -> mubo.Model:
    """Two moving bodies and the joint, with the options that its declaration gives as examples."""
    model = mubo.Model(kind, dimension=3)
    turned = Rotation.from_euler("ZXZ", [0.4, 1.1, -0.7]).as_quat(scalar_first=True)
    model.body("first", (0.5, -0.3, 0.8), points={"P": AT}, orientation=turned)
    model.body("second", (0.9, 0.7, 0.1), points={"P": ON}, orientation=turned)
    options = {o.name: o.example for o in SPATIAL_JOINTS[kind].options if o.example is not None} | more
    model.joint("J", kind, "first.P", "second.P", **options)
    return model


def numbers(kind: str, rng) -> list[float]:
    """Random coordinates of a joint, one entry of the stack after the other."""
    out = []
    for entry in SPATIAL_JOINTS[kind].dofs:
        if entry == "ball":
            q = rng.normal(size=4)
            out += (q / np.linalg.norm(q) * np.sign(q[0])).tolist()
        else:
            out.append(rng.uniform(-1.2, 1.2))
    return out


def finite_motion(model: mubo.Model, q) -> np.ndarray:
    """Unknowns of both bodies: the first as given, the second moved by the stack of unit motions in the joint's frame.

    Written anew with SciPy's rotations; only the frames are the package's.
    """
    joint = model.joints["J"]
    F, zero = joint_motion(model.build(), joint).F, joint.options.get("zero", (1, 0, 0, 0))
    first = Rotation.from_quat(model.bodies["first"].orientation, scalar_first=True)
    R, d, rest = Rotation.identity(), np.zeros(3), list(q)
    for entry in SPATIAL_JOINTS[joint.kind].dofs:
        if entry == "ball":
            if joint.options.get("euler"):
                R = R * Rotation.from_euler(joint.options["euler"].upper(), [rest.pop(0) for _ in range(3)])
            else:
                R = R * Rotation.from_quat([rest.pop(0) for _ in range(4)], scalar_first=True)
            continue
        what, letter = entry.split()
        axis, amount = np.eye(3)["xyz".index(letter)], rest.pop(0)
        if what != "turn":
            d = d + R.apply(axis) * amount * (joint.options["lead"] / (2 * np.pi) if what == "screw" else 1)
        if what != "slide":
            R = R * Rotation.from_rotvec(axis * amount)
    frame = Rotation.from_matrix(F)
    second = first * frame * R * frame.inv() * Rotation.from_quat(zero, scalar_first=True)
    r = np.array(model.bodies["first"].position)
    own = r + first.apply(AT) + first.apply(F @ d) - second.apply(ON)
    return np.concatenate([r, first.as_quat(scalar_first=True), own, second.as_quat(scalar_first=True)])


def along(model, q, change, h):
    """The finite motion at q + h·change; quaternions of balls are normalised, and of bodies kept on one side."""
    moved = np.asarray(q) + h * np.asarray(change)
    x = finite_motion(model, moved)
    base = finite_motion(model, q)
    for k in (3, 10):
        x[k : k + 4] *= np.sign(x[k : k + 4] @ base[k : k + 4])
    return x


@pytest.mark.parametrize("kind", PROPER)
def test_rows_and_freedoms_make_six(kind):
    rows = sum(SPATIAL_ROW_KINDS[row.kind][1] for row in SPATIAL_JOINTS[kind].rows)
    assert rows + dofs(kind) == 6


@pytest.mark.parametrize("kind", SPATIAL_JOINTS)
def test_every_equation_has_a_word(kind):
    for row in SPATIAL_JOINTS[kind].rows:
        assert len(row.words) == SPATIAL_ROW_KINDS[row.kind][1]
        assert row.on_velocities == SPATIAL_ROW_KINDS[row.kind][4]


@pytest.mark.parametrize("kind", HINGES)
@pytest.mark.parametrize("seed", range(3))
def test_the_joint_stays_closed_on_its_own_motion(kind, seed):
    """Φ = 0 at finite coordinates, J S = 0 there, and the rows have the rank that they should have."""
    model = two_bodies(kind)
    form = absolute(mechanism_of(model.build()))
    rng = np.random.default_rng(seed)
    q = numbers(kind, rng)
    x = finite_motion(model, q)
    assert np.max(np.abs(form.system.phi(x, NONE))) < 1e-14
    J = form.system.jacobian(x, NONE)
    for change in np.eye(len(q)):
        h = 1e-5
        S = (along(model, q, change, h) - along(model, q, change, -h)) / (2 * h)
        assert np.max(np.abs(J @ S)) < 1e-9
    found = analyse_mobility(form, x, NONE)
    assert found.coordinates == 12
    assert found.mobility == found.gruebler == 6 + dofs(kind)
    assert not found.dependent


@pytest.mark.parametrize("kind", [kind for kind in PROPER if kind not in HINGES])
def test_a_joint_that_no_tree_walks_takes_what_it_leaves_no_freedom_for(kind):
    """The rank of its rows where it is closed."""
    form = absolute(mechanism_of(two_bodies(kind).build()))
    found = assemble(form, NONE, 1e-13, 50)
    assert found.gap < 1e-13
    assert analyse_mobility(form, found.q, NONE).mobility == 6 + dofs(kind)


def test_a_massless_link_keeps_its_length_when_its_ends_swing():
    model = two_bodies("distance", length=0.9)
    form = absolute(mechanism_of(model.build()))
    r, p = np.array(model.bodies["first"].position), model.bodies["first"].orientation
    first = Rotation.from_quat(p, scalar_first=True)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        way = rng.normal(size=3)
        second = Rotation.from_rotvec(rng.normal(size=3))
        own = r + first.apply(AT) + 0.9 * way / np.linalg.norm(way) - second.apply(ON)
        x = np.concatenate([r, p, own, second.as_quat(scalar_first=True)])
        assert np.max(np.abs(form.system.phi(x, NONE))) < 1e-15
        assert analyse_mobility(form, x, NONE).mobility == 11


def moving(model, q, v, a):
    """Positions, velocities and accelerations of the unknowns along q + v t + a t²/2 at t = 0, by differences."""
    h = 2e-3

    def at(t):
        x = finite_motion(model, np.asarray(q) + t * v + t * t / 2 * a)
        for k in (3, 10):
            x[k : k + 4] *= np.sign(x[k : k + 4] @ here[k : k + 4])
        return x

    here = finite_motion(model, q)
    x = {k: at(k * h) for k in range(-3, 4)}
    first = (x[3] - 9 * x[2] + 45 * x[1] - 45 * x[-1] + 9 * x[-2] - x[-3]) / (60 * h)
    second = (2 * (x[3] + x[-3]) - 27 * (x[2] + x[-2]) + 270 * (x[1] + x[-1]) - 490 * x[0]) / (180 * h * h)
    return np.stack([here, first, second])


@pytest.mark.parametrize(
    ("kind", "euler"),
    [
        (kind, euler)
        for kind in HINGES
        for euler in ("", "zxz", "xyz")
        if SPATIAL_JOINTS[kind].dofs and (not euler or "ball" in SPATIAL_JOINTS[kind].dofs)
    ],
)
def test_columns_are_the_coordinates_that_moved_the_joint(kind, euler):
    """q, v, a of the result against q, q', q'' that the finite motion was made with; balls by their Euler angles."""
    model = two_bodies(kind, **({"euler": euler} if euler else {}))
    names = holds_of(model, model.joints["J"])
    rng = np.random.default_rng(5)
    q = np.array(numbers(kind, rng)[: len(names)]) if not euler else rng.uniform(0.3, 1.2, len(names))
    v, a = rng.uniform(-1, 1, (2, len(names)))
    ball = "ball" in SPATIAL_JOINTS[kind].dofs and not euler
    if ball:
        v[-4:] = a[-4:] = 0  # the other coordinates move; the rates of a plain ball are an angular velocity
    form = absolute(mechanism_of(model.build()))
    state = moving(model, q, v, a)
    columns = motion_columns(form, np.zeros(1), state[None])
    for letter, expected in (("q", q), ("v", v), ("a", a)):
        expected = expected[: -4 if ball and letter != "q" else None]
        count = len(holds_of(model, model.joints["J"], letter != "q"))
        for name, value in zip(column_names(count, letter), expected, strict=False):
            assert columns[f"J.{name}"][0] == pytest.approx(value, abs=2e-8), name
    if ball:
        rates = [columns[f"J.{n}"][0] for n in column_names(len(v) - 1, "v")[-3:]]
        np.testing.assert_allclose(rates, 0, atol=1e-8)


def test_the_rates_of_a_ball_are_its_angular_velocity_in_the_joints_frame_on_the_second_body():
    model = two_bodies("spherical")
    q, w = numbers("spherical", np.random.default_rng(2)), np.array([0.4, -0.7, 0.3])
    h = 1e-4

    def at(t):  # turned by w t about the axes of the joint's frame
        turned = Rotation.from_quat(q, scalar_first=True) * Rotation.from_rotvec(w * t)
        x = finite_motion(model, turned.as_quat(scalar_first=True))
        base = finite_motion(model, q)
        x[10:] *= np.sign(x[10:] @ base[10:])
        return x

    state = np.stack([at(0), (at(h) - at(-h)) / (2 * h), (at(h) - 2 * at(0) + at(-h)) / h**2])
    columns = motion_columns(absolute(mechanism_of(model.build())), np.zeros(1), state[None])
    np.testing.assert_allclose([columns[f"J.v{k}"][0] for k in (1, 2, 3)], w, atol=1e-7)
    np.testing.assert_allclose([columns[f"J.a{k}"][0] for k in (1, 2, 3)], 0, atol=1e-6)


TARGETS = {
    "joint_turn": [("revolute", "J", 0), ("universal", "J.q1", 0), ("universal", "J.q2", 1), ("planar", "J.q3", 2)],
    "joint_slide": [("prismatic", "J", 0), ("cylindrical", "J.q2", 1), ("planar", "J.q1", 0), ("free", "J.q2", 1)],
    "joint_screw": [("screw", "J", 0)],
}


def test_every_driver_is_tested():
    assert set(SPATIAL_DRIVERS) == {*TARGETS, "point_coordinate", "point_distance"}


@pytest.mark.parametrize(
    ("driver", "kind", "of", "number"), [(d, *case) for d, cases in TARGETS.items() for case in cases]
)
def test_a_driver_measures_its_joint_coordinate(driver, kind, of, number):
    """Φ of a driver is the coordinate minus f, in the units of its row."""
    model = two_bodies(kind)
    model.driver("D", of, "0.25")
    form = absolute(mechanism_of(model.build()))
    for seed in range(3):
        q = numbers(kind, np.random.default_rng(seed))
        phi = form.system.phi(finite_motion(model, q), form.motion(np.zeros(1))[0])[-1]
        assert phi / form.mechanism.motion_factors[0] == pytest.approx(q[number] - 0.25, abs=1e-12)


def test_drivers_of_points():
    model = two_bodies("free")
    model.driver("high", "second.P.z", "0.25")
    model.driver("far", ("first.P", "second.P"), "0.5")
    form = absolute(mechanism_of(model.build()))
    q = numbers("free", np.random.default_rng(1))
    x = finite_motion(model, q)
    *_, high, far = form.system.phi(x, form.motion(np.zeros(1))[0])
    second = x[7:10] + Rotation.from_quat(x[10:], scalar_first=True).apply(ON)
    assert high == pytest.approx(second[2] - 0.25, abs=1e-14)
    assert far == pytest.approx(np.linalg.norm(q[:3]) - 0.5, abs=1e-14)


@pytest.mark.parametrize("kind", HINGES)
@pytest.mark.parametrize("forward", [True, False])
def test_a_body_without_a_position_is_placed_by_its_joint(kind, forward):
    """[initial] coordinates put the second body where the finite motion does, and the first one back."""
    model = two_bodies(kind)
    q = numbers(kind, np.random.default_rng(4))
    if q:
        model.initial("J", q=q)
    x = finite_motion(model, q)
    placed, free = ("first", "second") if forward else ("second", "first")
    posed = x[:7] if forward else x[7:]
    given = {"points": {"P": AT if placed == "first" else ON}, "orientation": posed[3:] * np.sign(posed[3])}
    for name in ("first", "second"):
        del model.bodies[name]
    model.body(placed, posed[:3], **given)
    model.body(free, points={"P": ON if free == "second" else AT})
    form = absolute(mechanism_of(model.build()))
    found = dict(zip(form.free, form.estimate.reshape(-1, 7), strict=True))[free]
    expected = x[7:] if forward else x[:7]
    np.testing.assert_allclose(found[:3], expected[:3], atol=1e-14)
    np.testing.assert_allclose(abs(found[3:] @ expected[3:]), 1, atol=1e-14)
