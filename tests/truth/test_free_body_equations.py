"""Newton's and Euler's equations in symbols, read as they are printed, with the numbers of the columns of `inverse`.

The letters are computed here from the poses and the table: C = r + A c and its second derivative, the joint point P,
forces F and moments M of the columns, efforts of drivers about their axes. Both sides of every line must agree.
"""

import re

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.describe.free_bodies import free_body_equations, latex_symbol

FACTOR = re.compile(r"\((\S+) − (\S+)\) × (\S+)|(\S+) × (\S+) (\S+)|(\S+) (\S+)|(\S+)")


def turned(phi):
    return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])


def rotation(q):
    """Rotation matrix of a unit quaternion w, x, y, z (Nikravesh 1988, eq. 6.19)."""
    w, e = q[0], np.array(q[1:])
    tilde = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return (2 * w * w - 1) * np.eye(3) + 2 * np.outer(e, e) + 2 * w * tilde


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0] if len(a) == 2 else np.cross(a, b)


def value(side, letters):
    """The number of one side of an equation: terms with signs, each a product or a cross product of letters."""
    if side == "0":
        return 0.0
    total = 0.0
    for sign, term in re.findall(r"(^−|^| \+ | − )((?:\([^)]*\)|(?! [+−] ).)+)", side):
        arm, centre, force, w, J, w2, first, second, single = FACTOR.fullmatch(term).groups()
        if arm:
            found = cross(letters(arm) - letters(centre), letters(force))
        elif w:
            found = cross(letters(w), letters(J) @ letters(w2))
        elif first:
            one, two = letters(first), letters(second)
            found = one @ two if np.ndim(one) == 2 else one * two
        else:
            found = letters(single)
        total = total - found if "−" in sign else total + found
    return total


def lookup(given):
    def letters(symbol):
        assert symbol in given, symbol
        return given[symbol]

    return letters


def balanced(model, found, given):
    """Every line of every body balances; the number of lines."""
    lines = [line for _, both in free_body_equations(model.build(), found.motion.acting) for line in both]
    scale = max(float(np.abs(v).max()) for k, v in given.items() if k.startswith("F_"))
    for line in lines:
        left, right = line.split(" = ")
        assert value(left, lookup(given)) == pytest.approx(value(right, lookup(given)), abs=1e-9 * scale), line
    return len(lines)


def plane_letters(model, found, run):
    """The letters of bodies and pins of a planar model at the last row of its inverse dynamics."""
    given, built = {"g": np.array(model.gravity)}, model.build()
    for k, name in enumerate(name for name in built.bodies if name != "ground"):
        (x, y, phi), (_, _, omega) = found.q[3 * k : 3 * k + 3], found.v[3 * k : 3 * k + 3]
        ax, ay, alpha = found.a[3 * k : 3 * k + 3]
        body = built.bodies[name].whole
        e = turned(phi) @ np.array(body.center or (0.0, 0.0))
        given |= {f"m_{name}": body.mass, f"J_{name}": (body.inertia or (0.0,))[0], f"φ̈_{name}": alpha}
        given[f"C_{name}"] = np.array([x, y]) + e
        given[f"C̈_{name}"] = np.array([ax, ay]) + alpha * np.array([-e[1], e[0]]) - omega**2 * e
    for joint in built.joints.values():
        body, s = built.place(joint.between[1])
        given[f"P_{joint.name}"] = run_point(run, body, s)
        owner = f"{joint.name}.on_{body}"
        given[f"F_{owner}"] = np.array([run[f"{owner}.fx"][-1], run[f"{owner}.fy"][-1]])
        given[f"M_{owner}"] = run[f"{owner}.m"][-1]
    return given


def run_point(run, body, s):
    return np.array([run[f"{body}.x"][-1], run[f"{body}.y"][-1]]) + turned(run[f"{body}.phi"][-1]) @ np.array(s)


def test_the_free_bodies_of_an_engine():
    """Three bodies, two lines each; the gas acts through the centre of the piston, the shaft's torque on the crank."""
    model = mubo.load(EXAMPLES / "engine.toml")
    found, run = model.equations(at=0.004), model.inverse(0, 0.004, 0.004)
    given = plane_letters(model, found, run)
    given["M_shaft.on_crank"] = run["shaft.effort"][-1]
    given["F_gas.on_piston"] = np.array([-run["gas.force"][-1], 0.0])
    given["M_gas.on_piston"] = 0.0
    assert balanced(model, found, given) == 6
    for wrong in ("F_B.on_rod", "M_shaft.on_crank", "F_gas.on_piston", "C_crank"):
        with pytest.raises(AssertionError):
            balanced(model, found, {**given, wrong: -given[wrong] + 0.01 * (wrong == "C_crank")})


def arm_in_space():
    model = mubo.Model("arm", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("A", (0, 0, 0))
    lengths = {"upper": ("A", "B", (0.3, 0.1, -0.2)), "lower": ("B", "C", (0.4, 0.0, 0.1))}
    for name, (first, second, end) in lengths.items():
        points = {first: (0, 0, 0), second: end}
        inertia = (0.02, 0.03, 0.04, 0.001, 0.002, 0.003)
        model.body(name, points=points, mass=1.5, inertia=inertia, center=(0.1, 0.05, 0.02))
    model.joint("A", "revolute", "ground.A", "upper.A", axis=(0, 0, 1))
    model.joint("B", "revolute", "upper.B", "lower.B", axis=(0, 1, 0))
    model.driver("yaw", "A", "0.3 + 2*t + t^2")
    model.driver("pitch", "B", "0.2 - 1.5*t + sin(3*t)")
    return model


def test_the_free_bodies_of_an_arm_in_space():
    """Drivers exert their effort about the axes of their joints, z and then y of the upper arm, on both neighbours."""
    model = arm_in_space()
    found, run = model.equations(at=0.7), model.inverse(0, 0.7, 0.7)
    given, built = {"g": np.array(model.gravity)}, model.build()
    for name in ("upper", "lower"):
        A = rotation([run[f"{name}.{q}"][-1] for q in ("qw", "qx", "qy", "qz")])
        r, a, w, dw = (
            np.array([run[f"{name}.{part}{axis}"][-1] for axis in "xyz"]) for part in ("", "a", "w", "alpha")
        )
        body = built.bodies[name].whole
        e = A @ np.array(body.center)
        xx, yy, zz, xy, xz, yz = body.inertia
        given |= {f"m_{name}": body.mass, f"ω_{name}": w, f"ω̇_{name}": dw, f"C_{name}": r + e}
        given[f"J_{name}"] = A @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ A.T
        given[f"C̈_{name}"] = a + np.cross(dw, e) + np.cross(w, np.cross(w, e))
        given[f"P_{'A' if name == 'upper' else 'B'}"] = r
    for owner in ("A.on_upper", "B.on_lower"):
        wrench = [run[f"{owner}.{part}"][-1] for part in ("fx", "fy", "fz", "mx", "my", "mz")]
        given |= {f"F_{owner}": np.array(wrench[:3]), f"M_{owner}": np.array(wrench[3:])}
    y_upper = rotation([run[f"upper.{q}"][-1] for q in ("qw", "qx", "qy", "qz")])[:, 1]
    given["M_yaw.on_upper"] = run["yaw.effort"][-1] * np.array([0.0, 0.0, 1.0])
    given["M_pitch.on_lower"] = run["pitch.effort"][-1] * y_upper
    given["M_pitch.on_upper"] = -given["M_pitch.on_lower"]
    assert balanced(model, found, given) == 4
    with pytest.raises(AssertionError):
        balanced(model, found, {**given, "ω_lower": 0 * given["ω_lower"]})


def test_latex_has_the_same_letters():
    model = mubo.load(EXAMPLES / "engine.toml")
    found = model.equations(at=0.004)
    written = dict(free_body_equations(model.build(), found.motion.acting, latex_symbol))
    assert written["rod"][0].startswith(r"m_{\mathrm{rod}} \ddot{C}_{\mathrm{rod}} = m_{\mathrm{rod}} g")
    assert r"F_{\mathrm{B.on\_rod}} − F_{\mathrm{C.on\_piston}}" in written["rod"][0]
