"""Small motions of a model against its own simulation: the reference that it has, and λ of every mode as runs show it.

A run begins beside the reference, displaced by ±ε along a mode and moving as the mode does, y = ε Re(shape e^{λt});
half the difference of the two is that motion, less terms of order ε³. Its rows x_k, a time h apart, satisfy
x_{k+1} = a x_k + b x_{k−1} with roots e^{λh}, e^{λ*h}, or x_{k+1} = a x_k with e^{λh} where λ is real.
"""

from dataclasses import replace

import numpy as np

import mubo
from mubo.model.coordinates import holds_of
from mubo.solvers.linear.prerequisites import without_coulomb

AMPLITUDE = 3e-5  # radians, or sizes of the mechanism: stiff springs beside soft modes make ε³ a thousand times larger
ROWS = 24  # in two periods, or in the time in which the mode grows or dies by e²


def released(model):
    """What is linearised and simulated: without dry friction, and with none where a mass or inertia is not given."""
    model = model.copy()
    model.struts.clear()  # rods of rams, whose drivers may be gone
    smooth = without_coulomb(model.build(), "equilibrium")[1]
    for name in [name for name in model.forces if name not in smooth.forces]:
        del model.forces[name]
    model.forces.update(smooth.forces)
    none = (0.0,) if model.dimension == 2 else (0.0, 0.0, 0.0)
    for name, body in model.bodies.items():
        if name != "ground" and not body.shape:
            inertia = none if body.inertia is None else body.inertia
            model.bodies[name] = replace(body, mass=body.mass or 0.0, inertia=inertia)
    return model


def reference_of(model):
    """(linearization, "") about a stable or neutral equilibrium, else about a steady motion, else about an unstable
    equilibrium; or (None, why there is none). Equilibria in change points, from which no motion is determined, are
    passed over."""
    if not any(body.whole.mass for body in model.build().bodies.values()):
        return None, "no body has a mass"
    drivers, first, why = list(model.drivers), None, ""
    for number in (None, *range(1, 5)):
        try:
            linear = model.linearize(free=drivers, equilibrium=number)
            determined(model, linear)
        except mubo.SingularityError as error:
            why = why or str(error)
            continue
        except mubo.MuboError as error:
            why = why or str(error)
            break
        first = first or linear
        if "unstable" not in linear.about:
            return linear, ""
    if any(any(given.v) for given in model.initial_joints.values()):
        try:
            return model.linearize(about="steady"), ""
        except mubo.MuboError as error:
            why = why or str(error)
    return first, "" if first else why


def determined(model, linear):
    """Raises where no motion is determined beside a reference."""
    beside(model, linear, linear.modes[-1], 1).simulate(0, 1e-6, 1e-6)


def beside(model, linear, mode, sign):
    """The model that begins displaced along a mode, and moves along it: bodies drawn there, joints at the rates of the
    mode, or bodies where no coordinate of a joint tells a degree of freedom."""
    out = model.copy()
    out.drivers.clear(), out.initial_joints.clear(), out.initial_bodies.clear(), out.events.clear()
    placed = linear.motion(1 + linear.modes.index(mode), amplitude=sign * AMPLITUDE, cycles=0.01)
    y = linear.values + sign * AMPLITUDE * mode.shape.real
    rates = linear.rates + sign * AMPLITUDE * (mode.root * mode.shape).real
    owners = [name.partition(".") for name in linear.dofs]
    by_joints = all(name in out.joints and word == "q" for name, _, word in owners)
    for name, body in list(out.bodies.items()):
        if name != "ground" and f"{name}.x" in placed.columns:
            draw(out, name, body, placed)
            if not by_joints:
                hasten(out, name, linear, rates)
    factor = out.units.angle_factor()
    for (name, _, _), value, rate in zip(owners, y, rates, strict=True):
        if by_joints:
            unit = factor if holds_of(out, out.joints[name])[0] == "angle" else 1.0
            out.initial(name, q=value / unit, v=rate / unit)
    return out


def draw(model, name, body, placed):
    flat = model.dimension == 2
    spot = [placed.columns.raw(f"{name}.{w}")[0] for w in ("x y phi" if flat else "x y z qw qx qy qz").split()]
    pose = {"angle": spot[2]} if flat else {"orientation": tuple(spot[3:])}
    model.bodies[name] = replace(body, position=tuple(spot[: model.dimension]), **pose)


def hasten(model, name, linear, rates):
    flat = model.dimension == 2
    words = [f"{name}.{word}" for word in ("vx vy omega" if flat else "vx vy vz wx wy wz").split()]
    speed = np.array([float(linear.columns[word][1] @ rates) * linear.factors[word] for word in words])
    speed[np.abs(speed) < 1e-12] = 0.0
    factor = model.units.angle_factor()
    turning = speed[2] / factor if flat else speed[3:] / factor
    model.initial(name, velocity=speed[: model.dimension], omega=turning)


def root_seen(model, linear, mode, form="tree"):
    """λ of a mode as two runs show it."""
    name = linear.dofs[int(np.argmax(np.abs(mode.shape)))]
    span = 4 * np.pi / mode.root.imag if mode.oscillates else 2 / abs(mode.root)
    runs = [beside(model, linear, mode, sign).simulate(0, span, span / ROWS, formulation=form) for sign in (1, -1)]
    apart = runs[0].columns.raw(name) - runs[1].columns.raw(name)
    if runs[0].columns.column(name).holds == "angle":
        apart = np.remainder(apart + np.pi, 2 * np.pi) - np.pi
    x, step = apart / 2, span / ROWS
    if mode.oscillates:
        (a, b), *_ = np.linalg.lstsq(np.stack([x[1:-1], x[:-2]], 1), x[2:], rcond=None)
        return np.log(max(np.roots([1, -a, -b]), key=lambda z: z.imag)) / step
    return np.log(x[1:] @ x[:-1] / (x[:-1] @ x[:-1])) / step
