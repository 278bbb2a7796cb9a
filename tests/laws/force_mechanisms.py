"""Mechanisms on which the laws of forces are tried: examples with random masses, random trees, moved copies."""

import math
import re
from dataclasses import replace

import numpy as np
from conftest import DATA, MOVED_EXAMPLES

import mubo
from mubo.elements import JOINTS, SPATIAL_JOINTS
from mubo.geometry.rotation import about, matrix, product

FORCES = DATA / "forces"


def covering():
    """As few shipped examples as have every kind of joint between them, in the plane and in space."""
    kinds = {}
    for path in MOVED_EXAMPLES:
        text = path.read_text() if path.suffix == ".toml" else ""
        space = "dimension = 3" in text
        known = SPATIAL_JOINTS if space else JOINTS
        kinds[path] = {(space, kind) for kind in re.findall(r'^type = "(\w+)"', text, re.M) if kind in known}
    chosen, left = [], set().union(*kinds.values())
    while left:
        best = max(kinds, key=lambda path: (len(kinds[path] & left), -path.stat().st_size))
        chosen.append(best)
        left -= kinds[best]
    return sorted(chosen)


def heavy(path, seed=1):
    """A shipped example with random masses, centres off the points, and a gravity that is along no axis."""
    model, rng = mubo.load(path), np.random.default_rng(seed)
    flat = model.dimension == 2
    for name, body in list(model.bodies.items()):
        if name == "ground":
            continue
        size = max((float(np.max(np.abs(at))) for at in body.points.values()), default=0.0) or 1.0
        moments = rng.uniform(0.2, 0.3, 3) * size**2
        products = 0.02 * rng.normal(size=3) * size**2
        inertia = (moments[0],) if flat else (*moments, *products)
        center = tuple(0.3 * size * rng.normal(size=model.dimension))
        mass = {"mass": rng.uniform(1, 3), "inertia": inertia, "center": center}
        model.bodies[name] = replace(body, shape=None, density=None, added={}, **mass)
    model.gravity = (3.0, -9.0) if flat else (1.0, 2.0, -9.0)
    model.forces.clear()
    return model


def over(model, rows=4, **options):
    """Its run over the span of the file, on a few rows."""
    a = model.build().output_times()
    return model.inverse(a.start, a.end, step=(a.end - a.start) / (rows - 1), **options)


def random_tree(seed):
    """A chain in space with branches; every coordinate of every joint follows a law of its own."""
    rng = np.random.default_rng(seed)
    model = mubo.Model("tree", dimension=3, gravity=tuple(rng.normal(size=3) * 9))
    kinds = ["revolute", "prismatic", "cylindrical", "universal", "planar", "revolute"]
    for k, kind in enumerate(rng.permutation(kinds)):
        parent = "ground" if k == 0 else f"b{rng.integers(0, k)}"
        points = {"A": tuple(rng.normal(size=3)), **{f"P{i}": tuple(rng.normal(size=3)) for i in range(len(kinds))}}
        root = rng.normal(size=(3, 3))
        inertia = np.trace(root @ root.T) * np.eye(3) - root @ root.T + 0.1 * np.eye(3)
        model.body(f"b{k}", points=points, mass=rng.uniform(1, 3), inertia=inertia, center=rng.normal(size=3))
        if parent == "ground":
            model.ground.point(f"P{k}", tuple(rng.normal(size=3)))
        frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        options = {"axes": [frame[0], frame[1]]} if kind == "universal" else {"axis": frame[0]}
        if kind == "planar":
            options["along"] = frame[1]
        model.joint(f"j{k}", str(kind), f"{parent}.P{k}", f"b{k}.A", **options)
        for i, dof in enumerate(SPATIAL_JOINTS[str(kind)].dofs, start=1):
            several = len(SPATIAL_JOINTS[str(kind)].dofs) > 1
            of = f"j{k}.q{i}" if several else f"j{k}"
            a, b, c = rng.uniform(0.2, 0.8, 3)
            model.driver(f"d{k}_{i}", of, f"{a:.3f} + {b:.3f}*sin({2 * c:.3f}*t)")
            assert dof
    return model


def moved(model, seed):
    """The same machine on a frame that stands elsewhere, turned; gravity turns with it. Answers it and the rotation."""
    rng = np.random.default_rng(seed)
    flat = model.dimension == 2
    turn = rng.uniform(-3, 3)
    axis = rng.normal(size=3)
    quaternion = about(tuple(axis / np.linalg.norm(axis)), turn)
    R = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) if flat else matrix(quaternion)
    shift = rng.normal(size=model.dimension) * 3
    new = mubo.Model(model.name, units=model.units, dimension=model.dimension, gravity=tuple(R @ model.gravity))
    place = {"angle": turn} if flat else {"orientation": quaternion}
    new.body(
        "frame", position=tuple(shift), points={**model.bodies["ground"].points, "origin": (0,) * len(shift)}, **place
    )
    new.ground.point("origin", tuple(shift))
    for name, body in model.bodies.items():
        if name != "ground":
            at = tuple(R @ body.position + shift)
            pose = (
                {"angle": body.angle + turn} if flat else {"orientation": tuple(product(quaternion, body.orientation))}
            )
            new.bodies[name] = replace(body, position=at, **pose)
    fixed = {"angle": turn} if flat else {"zero": quaternion}
    new.joint("weld", "fixed", "ground.origin", "frame.origin", **fixed)
    for name, joint in model.joints.items():
        ends = tuple(end.replace("ground.", "frame.") for end in joint.between)
        new.joints[name] = replace(joint, between=ends)
    for name, force in model.forces.items():
        options = dict(force.options)
        if options.get("axes", "ground") == "ground" and "direction" in options:
            options["direction"] = tuple(R @ options["direction"])
        new.forces[name] = replace(force, options=options)
    new.drivers.update(model.drivers)
    new.analysis = model.analysis
    return new, R
