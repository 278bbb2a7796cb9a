"""Random closed mechanisms: a random tree of bodies, joints that close loops in the drawn position, random loads.

Bodies of space are drawn parallel to the ground, so that axes at the start are the same in all of them.
"""

import numpy as np

import mubo

# DOFs of the joints that make the tree, equations of those that close loops.
TREE = {
    2: {"revolute": 1, "translational": 1},
    3: {"revolute": 1, "prismatic": 1, "screw": 1, "cylindrical": 2, "universal": 2, "planar": 3, "spherical": 3},
}
CLOSING = {
    2: {"revolute": 2, "translational": 2, "distance": 1},
    3: {"spherical": 3, "distance": 1, "point_on_line": 2, "universal": 4, "cylindrical": 4, "screw": 5, "revolute": 5},
}
DRIVEN = ("revolute", "translational", "prismatic", "screw")


class Machine:
    """A model under construction. `joints` has kind, bodies and the unit axis at the start."""

    def __init__(self, random, dimension):
        self.random, self.dimension = random, dimension
        self.model = mubo.Model("closed", dimension=dimension, gravity=tuple(random.normal(size=dimension) * 5))
        self.bodies, self.places, self.angles = ["ground"], {"ground": np.zeros(dimension)}, {"ground": 0.0}
        self.joints, self.free = {}, 0
        self.handles = {"ground": self.model.ground}

    def vector(self, size=1.0):
        return self.random.normal(size=self.dimension) * size

    def direction(self):
        vector = self.vector()
        return vector / np.linalg.norm(vector)

    def seen(self, body, vector):
        """A vector of the drawing in the axes of a body."""
        if self.dimension == 3 or body == "ground":
            return tuple(float(x) for x in vector)
        c, s = np.cos(self.angles[body]), np.sin(self.angles[body])
        return (float(c * vector[0] + s * vector[1]), float(c * vector[1] - s * vector[0]))

    def point(self, body, name, at):
        local = self.seen(body, at - self.places[body])
        self.handles[body].point(name, local)
        return f"{body}.{name}"

    def body(self, name):
        place, mass = self.vector(0.8), float(self.random.uniform(0.5, 3))
        center = tuple(float(x) for x in self.vector(0.2))
        if self.dimension == 2:
            angle = float(self.random.uniform(-3, 3))
            inertia = float(self.random.uniform(0.05, 0.4))
            handle = self.model.body(name, tuple(place), angle, mass=mass, inertia=inertia, center=center)
        else:
            angle, root = 0.0, 0.3 * self.random.normal(size=(3, 3))
            t = root @ root.T + 0.05 * np.eye(3)
            inertia = (
                np.trace(t) * np.eye(3) - t
            )  # of a mass with the second moments t: always one that a body can have
            handle = self.model.body(name, tuple(place), mass=mass, inertia=inertia.tolist(), center=center)
        self.bodies.append(name)
        self.handles[name] = handle
        self.places[name], self.angles[name] = place, angle

    def join(self, kind, one, two):
        """A joint of two bodies at a random place of the drawing, where it fits."""
        name, at, axis = f"J{len(self.joints)}", self.vector(0.8), self.direction()
        other = at + (self.vector(0.5) if kind == "distance" else 0)
        ends = (self.point(one, name, at), self.point(two, name, other))
        options = {}
        if kind in ("translational", "prismatic", "cylindrical", "point_on_line", "planar", "screw"):
            options["axis"] = self.seen(one, axis)
        if kind == "revolute" and self.dimension == 3:
            options["axis"] = self.seen(one, axis)
        if kind == "screw":
            options["lead"] = float(self.random.choice([-1, 1]) * self.random.uniform(0.3, 2))
        if kind == "universal":
            second = np.cross(axis, self.direction())
            options["axes"] = [tuple(axis), tuple(second / np.linalg.norm(second))]
        if kind == "distance":
            options["length"] = float(np.linalg.norm(other - at))
        self.model.joint(name, kind, *ends, **options)
        self.joints[name] = (kind, one, two)
        return name


def grown(random, dimension, count, near, kinds=None):
    """Bodies on a tree: each hangs on the ground or on one of the last `near` before it."""
    machine = Machine(random, dimension)
    kinds = kinds or list(TREE[dimension])
    for k in range(count):
        name = f"b{k}"
        parents = machine.bodies[max(1, len(machine.bodies) - near) :]
        parent = "ground" if k == 0 or random.random() < 0.25 else str(random.choice(parents))
        machine.body(name)
        kind = str(random.choice(kinds))
        machine.join(kind, *((parent, name) if random.random() < 0.7 else (name, parent)))
        machine.free += TREE[dimension][kind]
    return machine


def close(machine, most, least=1, kinds=None, to_ground=0.3):
    """Joints that close loops, as long as `least` degrees of freedom are left."""
    random, closing = machine.random, CLOSING[machine.dimension]
    for _ in range(most):
        kind = str(random.choice(kinds or list(closing)))
        if machine.free - closing[kind] < least:
            continue
        one, two = (str(name) for name in random.choice(machine.bodies[1:], 2, replace=False))
        machine.join(kind, "ground" if random.random() < to_ground else one, two)
        machine.free -= closing[kind]


def load(machine):
    """A spring or two, a torque, a push, a joint spring, and a rate at the start."""
    random, model, bodies = machine.random, machine.model, machine.bodies
    for k in range(int(random.integers(0, 3))):
        one, two = (str(name) for name in random.choice(bodies, 2, replace=False))
        ends = [machine.point(one, f"S{k}a", machine.vector()), machine.point(two, f"S{k}b", machine.vector())]
        damping = float(random.choice([0, 0.4]))
        model.force(f"spring{k}", "spring", *ends, stiffness=float(random.uniform(2, 40)), length=0.8, damping=damping)
    if random.random() < 0.4:
        at = machine.point(str(random.choice(bodies[1:])), "F", machine.vector())
        model.force("push", "point_force", at, direction=tuple(machine.direction()), force=float(random.uniform(1, 8)))
    if random.random() < 0.3:
        turn = {"direction": tuple(machine.direction())} if machine.dimension == 3 else {}
        model.force("torque", "body_torque", str(random.choice(bodies[1:])), torque="2*sin(3*t)", **turn)
    turning = [
        name for name, (kind, *_) in machine.joints.items() if kind in ("revolute", "prismatic", "translational")
    ]
    tree = [name for name in turning if int(name[1:]) < len(bodies) - 1]
    if tree and random.random() < 0.7:
        model.initial(str(random.choice(tree)), v=float(random.uniform(-2, 2)))


def drive(machine):
    """A joint of the tree that a motor moves, where degrees of freedom are left to others."""
    tree = [n for n, (kind, *_) in machine.joints.items() if kind in DRIVEN and int(n[1:]) < len(machine.bodies) - 1]
    if not tree or machine.free < 2:
        return
    name, law = str(machine.random.choice(tree)), f"0.4*sin({float(machine.random.uniform(1, 4))!r}*t)"
    machine.model.driver("motor", name, law, start="as drawn")
    machine.free -= 1


def planar(random):
    machine = grown(random, 2, int(random.integers(3, 10)), 4)
    close(machine, int(random.integers(1, 5)))
    load(machine)
    return machine


def spatial(random):
    machine = grown(random, 3, int(random.integers(2, 7)), 3)
    close(machine, int(random.integers(1, 4)))
    load(machine)
    return machine


def driven(random):
    machine = grown(random, int(random.choice([2, 3])), int(random.integers(3, 8)), 4)
    close(machine, int(random.integers(1, 4)), least=2)
    drive(machine)
    load(machine)
    return machine


def threads(random):
    """Screws and planar joints (two shifts and a turn) in loops."""
    machine = grown(random, 3, int(random.integers(2, 6)), 3, ["screw", "planar", "revolute"])
    close(machine, int(random.integers(1, 4)), kinds=["distance", "point_on_line", "spherical"])
    load(machine)
    return machine


def deep(random):
    """A long chain, tied to the ground at many places."""
    dimension = int(random.choice([2, 3]))
    machine = grown(random, dimension, int(random.integers(10, 22)), 1)
    close(machine, 14, kinds=["distance"] if dimension == 2 else ["distance", "point_on_line"], to_ground=0.8)
    load(machine)
    return machine


FAMILIES = {"planar": planar, "spatial": spatial, "driven": driven, "threads": threads, "deep": deep}
